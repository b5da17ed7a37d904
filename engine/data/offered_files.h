// SPDX-License-Identifier: Apache-2.0
#pragma once
// Files that somebody offers as data: what a kind of source looks at to say whether they are its
// own. Names tell most of it, the first bytes the rest.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

struct OfferedFiles {
    std::filesystem::path folder;    ///< absolute
    bool isWhole = false;            ///< the folder itself is offered
    std::vector<std::string> names;  ///< in the folder, in order; of a whole one all its files
    std::vector<std::string> beside; ///< all files of the folder, in order
    std::vector<std::string> inner;  ///< of a whole one the folders in it

    /// Any of the names that are offered.
    [[nodiscard]] bool hasEnding(std::string_view ending) const;
};

/// Those in the folder of the first, there or not: who opens them says what is missing.
[[nodiscard]] OfferedFiles offeredFiles(const std::vector<std::filesystem::path>& files);

// Names in any case.
[[nodiscard]] bool endsWith(std::string_view name, std::string_view ending);
[[nodiscard]] bool hasWord(std::string_view name, std::string_view word);
/// "t10k-images", "x_test.npy", "valid.bin"
[[nodiscard]] bool isForTesting(std::string_view name);

} // namespace weft
