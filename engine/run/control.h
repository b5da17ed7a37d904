// SPDX-License-Identifier: Apache-2.0
#pragma once
// A run's mailbox: a file dropped into its folder control/ is a command (pause, resume, step, stop,
// save, or observe and a layer), taken and removed within a second, or at once where a byte on the
// socket control/wake says so. Wishes are taken in their order, and each is told in the run's log.
// One that names its asker and a number is met once, however often it is dropped: the last number
// of each asker is kept in the run's folder. The mailbox is its owner's alone, so there is no port
// and no secret.

#include "base/files.h"
#include "run/run_controls.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
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
    void work(const std::stop_token& stop);
    void takeCommands();
    void takeCommand(const std::filesystem::path& file);

    std::filesystem::path folder_;
    std::map<std::string, std::uint64_t> asked_; ///< by asker: the number of the last command
    RunControls& controls_;
    std::function<void()> everySecond_;
    FileHandle
        socket_; ///< not open where the file system has none: then the mailbox is looked into
    FileHandle ended_;
    std::jthread thread_;
};

} // namespace weft
