// SPDX-License-Identifier: Apache-2.0
#pragma once
// What an engine and its program are built of: it lies in ../share/weft/source, seen from the
// program, where Weft was installed and where it was built.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace weft {

struct SourceFile {
    std::string name; ///< "engine/base/text.cpp"
    std::filesystem::path path;
    bool isExecutable = false;
    std::int64_t changed = 0; ///< seconds of Unix time
};

/// In the order of their names. Error{file} where it isn't there.
[[nodiscard]] std::vector<SourceFile> sourceFiles(const std::filesystem::path& program);

} // namespace weft
