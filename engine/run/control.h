// SPDX-License-Identifier: Apache-2.0
#pragma once
// A run's mailbox: a file dropped into its folder control/ is a wish ("pause", "resume", "step",
// "stop", "save"), taken and removed within a second. The folder is its owner's alone, so there is
// no port and no secret.

#include "run/trainer.h"

#include <filesystem>
#include <functional>
#include <thread>

namespace weft {

class Control {
public:
    /// `everySecond` is called from the same thread: the run's beat.
    Control(std::filesystem::path folder, RunControls& controls, std::function<void()> everySecond);

private:
    std::jthread thread_;
};

/// Drops a wish into a run's mailbox. Error{file} when the run does not live or the folder is
/// another's.
void sendControl(const std::filesystem::path& run, const std::string& wish);

} // namespace weft
