// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sleeps until something changes in a folder. The system notifies where it can; on network file
// systems nothing does, so whoever waits looks again once a second in any case.

#include "base/files.h"

#include <chrono>
#include <filesystem>

namespace weft {

class FolderWatch {
public:
    explicit FolderWatch(std::filesystem::path folder);
    /// At most `limit`, and never longer than a second. The first time it comes back at once.
    void wait(std::chrono::nanoseconds limit);

private:
    /// At the first wait, as most readers never wait and the system takes its time to end a watch.
    [[nodiscard]] bool begins();

    std::filesystem::path folder_;
    bool isBegun_ = false;
    FileHandle inotify_;
};

} // namespace weft
