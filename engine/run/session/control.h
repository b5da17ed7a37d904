// SPDX-License-Identifier: Apache-2.0
#pragma once
// A run's mailbox. A file dropped into the run's folder control/ is a command (pause, resume, step,
// stop, save, or observe and a layer). Commands are executed in order within a second, or at once
// after a byte on the socket control/wake, and each is logged. A command that names its sender and
// a number is executed only once: the run's folder keeps the last number of each sender. Only the
// owner can access the mailbox, so it needs no port and no password.

#include "base/files/files.h"
#include "run/train/run_controls.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <thread>

namespace weft {

class RunMailbox {
public:
    /// The mailbox's thread calls `everySecond`, which writes the run's heartbeat.
    RunMailbox(std::filesystem::path folder, RunControls& controls,
               std::function<void()> everySecond);
    ~RunMailbox();
    RunMailbox(const RunMailbox&) = delete;
    RunMailbox& operator=(const RunMailbox&) = delete;

private:
    void work(const std::stop_token& stop);
    void takeCommands();
    void takeCommand(const std::filesystem::path& file);

    std::filesystem::path folder_;
    std::map<std::string, std::uint64_t> lastNumbers_; ///< number of the last command per sender
    RunControls& controls_;
    std::function<void()> everySecond_; ///< writes the heartbeat
    FileHandle socket_; ///< not open if the file system has no sockets; then the mailbox is polled
    FileHandle ended_;  ///< wakes the thread when the mailbox is destroyed
    std::jthread thread_;
};

} // namespace weft
