// SPDX-License-Identifier: Apache-2.0
#include "data/films/broken_pictures.h"

#include "base/process/threads.h"
#include <weft/error.h>

#include <sys/stat.h>

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

/// What tells one content of a file from another.
struct FileState {
    ino_t number = 0;
    off_t size = -1;
    timespec changed = {};
    bool operator==(const FileState& other) const {
        return number == other.number && size == other.size &&
               changed.tv_sec == other.changed.tv_sec && changed.tv_nsec == other.changed.tv_nsec;
    }
};

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

FileState stateOf(const PictureAt& picture) {
    struct stat status = {};
    if (stat(picture.path.c_str(), &status) != 0) {
        return {};
    }
    return {.number = status.st_ino, .size = status.st_size, .changed = status.st_ctim};
}

std::optional<std::string> decoded(const PictureAt& picture) {
    try {
        static_cast<void>(readPicture(picture));
        return std::nullopt;
    } catch (const Error& error) {
        return error.problem();
    } catch (const std::bad_alloc&) {
        return "needs more memory than is free";
    }
}

std::optional<std::string> problemOf(const PictureAt& picture) {
    const FileState state = stateOf(picture);
    const std::string path = picture.path.string();
    {
        const std::scoped_lock lock(answers().mutex);
        const auto known = answers().byPath.find(path);
        if (known != answers().byPath.end() && known->second.state == state) {
            return known->second.problem;
        }
    }
    std::optional<std::string> problem = decoded(picture);
    if (state.size >= 0) {
        const std::scoped_lock lock(answers().mutex);
        answers().byPath.insert_or_assign(path, Answer{state, problem});
    }
    return problem;
}

} // namespace

std::vector<BrokenPicture> brokenAmong(const std::vector<PictureAt>& pictures) {
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
