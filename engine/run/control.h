// SPDX-License-Identifier: Apache-2.0
#pragma once
// A run's mailbox: a file dropped into its folder control/ is a wish ("pause", "resume", "step",
// "stop", "save", or "observe-N", which holds the name of a layer), taken and removed within a
// second, or at once where a byte on the socket control/wake says so. The folder is its owner's
// alone, so there is no port and no secret.

#include "base/files.h"
#include "run/run_controls.h"

#include <filesystem>
#include <functional>
#include <thread>

namespace weft {

class Control {
public:
    /// `everySecond` is called from the same thread: the run's beat.
    Control(std::filesystem::path folder, RunControls& controls, std::function<void()> everySecond);
    ~Control();
    Control(const Control&) = delete;
    Control& operator=(const Control&) = delete;

private:
    void work(const std::stop_token& stop) const;

    std::filesystem::path folder_;
    RunControls& controls_;
    std::function<void()> everySecond_;
    FileHandle
        socket_; ///< not open where the file system has none: then the mailbox is looked into
    FileHandle ended_;
    std::jthread thread_;
};

} // namespace weft
