// SPDX-License-Identifier: Apache-2.0
#include "data/films/broken_pictures.h"

#include "base/process/threads.h"
#include "data/file_state.h"
#include <weft/error.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <unordered_map>
#include <utility>

namespace weft {

namespace {

struct Answer {
    FileState state;
    std::optional<std::string> problem;
};

struct Answers {
    std::mutex mutex;
    std::unordered_map<std::string, Answer> byPath;
};

Answers& answers() {
    static Answers all;
    return all;
}

struct Decoding {
    std::optional<std::string> problem = {};
    bool isLasting = true; ///< the result holds until the file changes
};

Decoding decoded(const PictureAt& picture) {
    try {
        static_cast<void>(readPicture(picture));
        return {};
    } catch (const Error& error) {
        return {.problem = error.problem(), .isLasting = error.code() == ErrorCode::format};
    } catch (const std::bad_alloc&) {
        return {.problem = "needs more memory than is free", .isLasting = false};
    }
}

std::optional<std::string> problemOf(const PictureAt& picture) {
    const FileState state = fileStateOf(picture.path);
    const std::string path = picture.path.string();
    {
        const std::scoped_lock lock(answers().mutex);
        const auto known = answers().byPath.find(path);
        if (known != answers().byPath.end() && known->second.state == state) {
            return known->second.problem;
        }
    }
    Decoding decoding = decoded(picture);
    if (state.isThere() && decoding.isLasting) {
        const std::scoped_lock lock(answers().mutex);
        answers().byPath.insert_or_assign(path, Answer{state, decoding.problem});
    }
    return std::move(decoding.problem);
}

} // namespace

std::vector<BrokenPicture> findBrokenPictures(const std::vector<PictureAt>& pictures) {
    constexpr std::size_t fewest = 16; // pictures per thread
    const std::size_t threads = std::clamp<std::size_t>(
        std::min<std::size_t>(std::thread::hardware_concurrency(), pictures.size() / fewest), 1, 8);
    std::vector<std::optional<std::string>> problems(pictures.size());
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t at = next++; at < pictures.size(); at = next++) {
            problems[at] = problemOf(pictures[at]);
        }
    };
    {
        std::vector<std::jthread> helpers;
        for (std::size_t k = 1; k < threads; ++k) {
            helpers.push_back(startThread("pictures", work));
        }
        work();
    }
    std::vector<BrokenPicture> broken;
    for (std::size_t at = 0; at < pictures.size(); ++at) {
        if (problems[at]) {
            broken.push_back({at, std::move(*problems[at])});
        }
    }
    return broken;
}

} // namespace weft
