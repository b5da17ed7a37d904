// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sleeps until something changes in a folder. Uses inotify where possible; network file systems do
// not notify, so a wait lasts at most a second.

#include "base/files/files.h"

#include <chrono>
#include <filesystem>

namespace weft {

class FolderWatch {
public:
    explicit FolderWatch(std::filesystem::path folder);
    /// Waits at most `limit` and at most a second. The first call returns at once.
    void wait(std::chrono::nanoseconds limit); ///< returns earlier after a change

private:
    /// Starts the watch at the first wait: most readers never wait, and ending a watch is slow.
    [[nodiscard]] bool startWatch(); ///< false if it was begun before or inotify fails

    std::filesystem::path folder_;
    bool isStarted_ = false; ///< the first wait has started the watch
    FileHandle inotify_;     ///< not open: no notifications
};

} // namespace weft
