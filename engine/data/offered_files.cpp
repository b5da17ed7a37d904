// SPDX-License-Identifier: Apache-2.0
#include "data/offered_files.h"

#include <algorithm>
#include <array>
#include <system_error>

namespace weft {

namespace {

char lower(char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

bool isSameLetter(char a, char b) { return lower(a) == lower(b); }

std::vector<std::string> namesIn(const std::filesystem::path& folder,
                                 std::filesystem::file_type type) {
    std::vector<std::string> names;
    std::error_code error;
    std::filesystem::directory_iterator each(folder, error);
    for (; !error && each != std::filesystem::directory_iterator(); each.increment(error)) {
        std::error_code unseen;
        if (each->status(unseen).type() == type) {
            names.push_back(each->path().filename().string());
        }
    }
    std::ranges::sort(names);
    return names;
}

} // namespace

bool OfferedFiles::hasEnding(std::string_view ending) const {
    return std::ranges::any_of(names,
                               [&](const std::string& name) { return endsWith(name, ending); });
}

OfferedFiles offeredFiles(const std::vector<std::filesystem::path>& files) {
    OfferedFiles offered;
    if (files.empty()) {
        return offered;
    }
    std::error_code error;
    const auto absolute = [&](const std::filesystem::path& path) {
        return std::filesystem::absolute(path, error).lexically_normal();
    };
    const std::filesystem::path first = absolute(files.front());
    offered.isWhole = std::filesystem::is_directory(first, error);
    offered.folder = offered.isWhole ? first : first.parent_path();
    offered.beside = namesIn(offered.folder, std::filesystem::file_type::regular);
    if (offered.isWhole) {
        offered.names = offered.beside;
        offered.inner = namesIn(offered.folder, std::filesystem::file_type::directory);
        return offered;
    }
    for (const std::filesystem::path& file : files) {
        if (absolute(file).parent_path() == offered.folder) {
            offered.names.push_back(file.filename().string());
        }
    }
    std::ranges::sort(offered.names);
    return offered;
}

bool endsWith(std::string_view name, std::string_view ending) {
    return name.size() >= ending.size() &&
           std::ranges::equal(name.substr(name.size() - ending.size()), ending, isSameLetter);
}

bool hasWord(std::string_view name, std::string_view word) {
    return !std::ranges::search(name, word, isSameLetter).empty();
}

bool isTestFileName(std::string_view name) {
    constexpr std::array<std::string_view, 3> words{"test", "t10k", "valid"};
    return std::ranges::any_of(words, [&](std::string_view word) { return hasWord(name, word); });
}

} // namespace weft
