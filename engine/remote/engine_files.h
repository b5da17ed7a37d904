// SPDX-License-Identifier: Apache-2.0
#pragma once
// What an engine needs to run on another Linux of this architecture, whatever C library that one
// has: the program, every library it loads, and their loader.

#include <filesystem>
#include <string>
#include <vector>

namespace weft {

struct EngineFile {
    std::string name; ///< in the engine's folder, where all of them lie side by side
    std::filesystem::path path;
};

/// Files of that program, the program first; empty path: of this process. Error{usage} if it is not
/// a program whose libraries can be listed, Error{file} if one of them is missing.
[[nodiscard]] std::vector<EngineFile> engineFiles(const std::filesystem::path& program);

/// From what the loader says it would load, itself among it, a line each; what comes with a driver
/// of the host's is left out.
[[nodiscard]] std::vector<EngineFile> librariesIn(const std::string& list);

} // namespace weft
