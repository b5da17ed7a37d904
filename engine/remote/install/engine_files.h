// SPDX-License-Identifier: Apache-2.0
#pragma once
// Lists the files with which an engine runs on another Linux of this architecture, whatever its C
// library: the program, every library that it loads, and their loader.

#include <filesystem>
#include <string>
#include <vector>

namespace weft {

struct EngineFile {
    std::string name;           ///< in the engine's folder, which has no subfolders
    std::filesystem::path path; ///< the file here
};

/// Returns the files of that program, the program first. An empty path means this process. Throws
/// Error{usage} if the libraries of the program cannot be listed, Error{file} if one is missing.
[[nodiscard]] std::vector<EngineFile> engineFiles(const std::filesystem::path& program);

/// Parses the loader's list of what it would load, including the loader itself, a line each. Leaves
/// out libraries of the host's drivers.
[[nodiscard]] std::vector<EngineFile> librariesIn(const std::string& list);

} // namespace weft
