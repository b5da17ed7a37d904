// SPDX-License-Identifier: Apache-2.0
#include "events/folder_watch.h"

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace weft {

FolderWatch::FolderWatch(std::filesystem::path folder) : folder_(std::move(folder)) {}

bool FolderWatch::startWatch() {
    if (isStarted_) {
        return false;
    }
    isStarted_ = true;
    inotify_ = FileHandle(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
    if (inotify_.isOpen()) {
        ::inotify_add_watch(inotify_.get(), folder_.c_str(),
                            IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_DELETE);
    }
    return true;
}

void FolderWatch::wait(std::chrono::nanoseconds limit) {
    using std::chrono::milliseconds;
    if (startWatch()) {
        return; // earlier changes are not notified, so the caller checks once more
    }
    const auto bounded = std::clamp<std::chrono::nanoseconds>(limit, std::chrono::nanoseconds(0),
                                                              milliseconds(1000));
    pollfd waiting{inotify_.get(), POLLIN, 0};
    ::poll(&waiting, 1, static_cast<int>(std::chrono::ceil<milliseconds>(bounded).count()));
    std::array<std::byte, 4096> taken;
    while (inotify_.isOpen() && ::read(inotify_.get(), taken.data(), taken.size()) > 0) {
    }
}

} // namespace weft
