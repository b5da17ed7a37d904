// SPDX-License-Identifier: Apache-2.0
#pragma once
// Files that a user offers as data. Source kinds recognise their own files by names and first
// bytes.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

struct OfferedFiles {
    std::filesystem::path folder;    ///< absolute
    bool isWhole = false;            ///< true: the whole folder is offered
    std::vector<std::string> names;  ///< offered files, sorted; all files of a whole folder
    std::vector<std::string> beside; ///< all files of that folder, sorted
    std::vector<std::string> inner;  ///< names of the subfolders of a whole folder

    /// True if an offered name has this ending.
    [[nodiscard]] bool hasEnding(std::string_view ending) const;
};

/// Returns the offered files in the folder of the first; existence is checked when they are opened.
[[nodiscard]] OfferedFiles offeredFiles(const std::vector<std::filesystem::path>& files);

// Names are compared case-insensitively.
[[nodiscard]] bool endsWith(std::string_view name, std::string_view ending);
[[nodiscard]] bool hasWord(std::string_view name, std::string_view word);
[[nodiscard]] bool isTestFileName(std::string_view name); ///< "t10k-images", "x_test.npy"

} // namespace weft
