// SPDX-License-Identifier: Apache-2.0
#include "data/source_kind.h"

#include <weft/error.h>

#include <fmt/format.h>

#include <system_error>

namespace weft {

void OpenRequest::looksAt(const std::filesystem::path& path) const {
    if (looked != nullptr) {
        looked->push_back(path);
    }
}

std::filesystem::path OpenRequest::locate(const std::string& name, bool packed) const {
    const auto found = [this](const std::filesystem::path& file) {
        if (opened != nullptr) {
            opened->push_back(file);
        }
        return file;
    };
    std::filesystem::path file = name;
    if (attributes.has("folder")) {
        file = attributes.text("folder") / file;
    }
    std::vector<std::filesystem::path> candidates = {folders.base / file};
    if (!file.is_absolute()) {
        for (const auto& folder : folders.others) {
            candidates.push_back(folder / file);
        }
    }
    std::string places;
    for (std::filesystem::path& candidate : candidates) {
        candidate = candidate.lexically_normal();
        std::error_code ignored;
        looksAt(candidate);
        if (std::filesystem::exists(candidate, ignored)) {
            return found(candidate);
        }
        places += (places.empty() ? "" : " nor at ") + candidate.string();
        candidate += ".gz";
        looksAt(candidate);
        if (packed && std::filesystem::exists(candidate, ignored)) {
            return found(candidate);
        }
    }
    throw Error(ErrorCode::file, {.file = file.string()},
                fmt::format("the data was not found: no file at {}{}", places,
                            packed ? " (nor packed as .gz)" : ""),
                kind.origin + (attributes.has("folder") ? "; then set the folder of the source"
                                                        : "; then set the file of the source"));
}

void OpenRequest::refuse(const std::string& attribute, const std::string& problem,
                         const std::string& remedy) const {
    throw Error(ErrorCode::design, {},
                fmt::format("data source {}, {}: {}", kind.name, attribute, problem), remedy);
}

std::vector<std::string> splitAtCommas(std::string_view text) {
    std::vector<std::string> words;
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        std::string_view word = text.substr(0, comma);
        text.remove_prefix(std::min(comma + 1, text.size()));
        const std::size_t first = word.find_first_not_of(" \t\n");
        if (first != std::string_view::npos) {
            words.emplace_back(word.substr(first, word.find_last_not_of(" \t\n") - first + 1));
        }
    }
    return words;
}

} // namespace weft
