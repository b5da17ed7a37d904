// SPDX-License-Identifier: Apache-2.0
#include "data/description_cache.h"

#include <algorithm>
#include <optional>

namespace weft {

namespace {

using Files = std::vector<std::pair<std::string, FileState>>;

constexpr std::size_t mostKnown = 8;
/// A description that depends on more files is made anew each time, to save memory.
constexpr std::size_t mostFiles = std::size_t{1} << 16U;

/// Returns the states of the files. Returns nothing if a file was changed less than two seconds
/// before `begin` or later: with the coarse times of some file systems, a further change might not
/// be seen.
std::optional<Files> statesOf(DescriptionCache::Paths& paths, std::time_t begin) {
    constexpr std::time_t coarsest = 2; // FAT
    std::ranges::sort(paths);
    const auto again = std::ranges::unique(paths);
    paths.erase(again.begin(), again.end());
    if (paths.size() > mostFiles) {
        return std::nullopt;
    }
    Files files;
    for (const std::filesystem::path& path : paths) {
        files.emplace_back(path.string(), fileStateOf(path));
        if (files.back().second.changed.tv_sec + coarsest >= begin) {
            return std::nullopt;
        }
    }
    return files;
}

DataDescription given(const std::variant<DataDescription, Error>& answer) {
    if (const auto* error = std::get_if<Error>(&answer)) {
        throw Error(*error);
    }
    return std::get<DataDescription>(answer);
}

std::variant<DataDescription, Error> answerOf(const auto& make, DescriptionCache::Paths& looked) {
    try {
        return make(looked);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::format && error.code() != ErrorCode::design) {
            throw; // not remembered: the user may add a missing file, or free memory
        }
        if (!error.where().file.empty()) {
            looked.emplace_back(error.where().file);
        }
        return error;
    }
}

} // namespace

DataDescription DescriptionCache::find(const DescriptionKey& key,
                                       const std::function<DataDescription(Paths& looked)>& make) {
    std::shared_ptr<const CachedDescription> found;
    {
        const std::scoped_lock lock(mutex_);
        const auto at = std::ranges::find_if(descriptions_,
                                             [&](const auto& known) { return known->key == key; });
        found = at == descriptions_.end() ? nullptr : *at;
    }
    const std::time_t begin = std::time(nullptr);
    const bool isSame = found != nullptr && std::ranges::all_of(found->files, [](const auto& file) {
                            return fileStateOf(file.first) == file.second;
                        });
    if (!isSame) {
        Paths looked;
        CachedDescription made{.key = key, .answer = answerOf(make, looked), .files = {}};
        std::optional<Files> files = statesOf(looked, begin);
        if (!files) {
            return given(made.answer);
        }
        made.files = std::move(*files);
        found = std::make_shared<const CachedDescription>(std::move(made));
    }
    const std::scoped_lock lock(mutex_);
    std::erase_if(descriptions_, [&](const auto& known) { return known->key == key; });
    descriptions_.push_front(found);
    descriptions_.resize(std::min(descriptions_.size(), mostKnown));
    return given(found->answer);
}

} // namespace weft
