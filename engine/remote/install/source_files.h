// SPDX-License-Identifier: Apache-2.0
#pragma once
// The source of the engine and its program. It is in ../share/weft/source relative to the program,
// both where Weft was installed and where it was built.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace weft {

struct SourceFile {
    std::string name;           ///< "engine/base/text/text.cpp"
    std::filesystem::path path; ///< the file here
    bool isExecutable = false;
    std::int64_t changed = 0; ///< seconds of Unix time
};

/// Returns the files ordered by name. Throws Error{file} if the source is not there.
[[nodiscard]] std::vector<SourceFile> sourceFiles(const std::filesystem::path& program);

} // namespace weft
