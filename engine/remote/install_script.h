// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a host's shell does when an engine comes: one line that never changes. It says what it finds
// in lines that begin with "weft:", waits for the word "go", and unpacks what follows in a folder
// of its own, ~/weft/engine-...; when the engine there has been started, the link ~/weft/bin/weft
// is turned to it. Engines before it stay a fortnight, for jobs that go on by them.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// As a host's settings have it.
inline constexpr std::string_view installedProgram = "~/weft/bin/weft";

/// An engine as it is to be: its files, and `startScript` that begins it.
[[nodiscard]] std::string carryScript();
/// What an engine is built of: in ~/weft/building, where another try goes on.
[[nodiscard]] std::string buildScript();

/// What such lines have said so far.
struct FoundThere {
    std::string system = {}; ///< "Linux x86_64"
    std::vector<std::string> lacks = {};
    std::string folder = {};
    std::int64_t free = -1; ///< bytes on its disk; -1: unknown
    bool isForeign = false; ///< what is called as the engine is none of these
    bool isReady = false;   ///< waits for the word
    std::string step = {};  ///< that it is at
    std::string log = {};   ///< of a build
    std::vector<std::string> lastOfLog = {};
    std::string version = {}; ///< of the engine, once it has been started
};
/// False for what is no such line.
bool take(std::string_view line, FoundThere& found);

} // namespace weft
