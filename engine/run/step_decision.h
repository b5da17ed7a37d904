// SPDX-License-Identifier: Apache-2.0
#pragma once
// What all ranks decide together after each step: a tiny all-reduce over the run's devices in the
// communicator of the run, moved on by the trainer's thread. Every device votes with its process's
// commands; one vote is enough.

#include "device/communicator.h"

#include <functional>
#include <memory>
#include <span>

namespace weft {

struct StepDecision {
    bool stop = false;
    bool save = false;
    bool pause = false;
    bool notFinite = false;
    bool timeIsUp = false; ///< the time that the training may take has passed
    /// 1 + the number of the layer whose values are seen in the next step; 0: none. Of several
    /// commands the largest is met.
    int observe = 0;
};
/// The same answer everywhere. In a run of one process its own commands are the decision.
using Decide = std::function<StepDecision(const StepDecision& mine)>;

/// `all` are the run's devices, `local` this process's. `keepWaiting` is called between looks; it
/// sleeps, and throws when the wait has lasted too long.
[[nodiscard]] Decide makeDecide(Communicator& communicator, std::span<const DeviceId> all,
                                std::span<const DeviceId> local, std::function<void()> keepWaiting);

} // namespace weft
