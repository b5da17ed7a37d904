// SPDX-License-Identifier: Apache-2.0
#pragma once
// The shell script on a host that receives an engine: one line that never changes. It reports what
// it finds in lines that begin with "weft:", waits for the word "go", and unpacks its input to a
// folder of its own, ~/weft/engine-.... If the engine there starts, the link ~/weft/bin/weft is
// changed to it. Older engines stay for two weeks, for jobs that use them.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// The path as in a host's settings.
inline constexpr std::string_view installedProgram = "~/weft/bin/weft";

/// Returns the script that receives a complete engine: its files and `startScript`, which starts
/// it.
[[nodiscard]] std::string carryScript(); ///< installs a complete engine
/// Returns the script that builds an engine from its source in ~/weft/building, where a further
/// attempt continues.
[[nodiscard]] std::string buildScript(); ///< builds the engine on the host

/// What the script's lines have reported so far.
struct InstallFindings {
    std::string system = {};                 ///< "Linux x86_64"
    std::vector<std::string> lacks = {};     ///< programs or libraries that the host lacks
    std::string folder = {};                 ///< folder of the new engine
    std::int64_t free = -1;                  ///< free bytes on its disk; -1: unknown
    bool isForeign = false;                  ///< the link's path is taken by something else
    bool isReady = false;                    ///< waits for the word "go"
    std::string step = {};                   ///< current step
    std::string log = {};                    ///< path of the build's log
    std::vector<std::string> lastOfLog = {}; ///< last lines of the build's log
    std::string version = {};                ///< version of the engine, once it has been started
};
/// Returns false for other lines.
bool take(std::string_view line, InstallFindings& found);

} // namespace weft
