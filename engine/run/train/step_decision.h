// SPDX-License-Identifier: Apache-2.0
#pragma once
// The decision that all ranks take together after each step: a tiny all-reduce over the run's
// devices in the run's communicator, driven by the trainer's thread. Every device votes with its
// process's commands; one vote is enough.

#include "device/communicator.h"

#include <functional>
#include <memory>
#include <span>

namespace weft {

struct StepDecision {
    bool stop = false;
    bool save = false;
    bool pause = false;
    bool notFinite = false; ///< a loss or gradient is NaN or infinite
    bool timeIsUp = false;  ///< the time limit of the training has passed
    int observe = 0;        ///< 1 + index of the layer to observe in the next step; 0: none
};
/// Returns the same decision on all ranks. In a run of one process the process's own commands are
/// the decision.
using Decide = std::function<StepDecision(const StepDecision& mine)>;

/// Makes the function with which this process takes part in the decisions. `all` are the run's
/// devices, `local` this process's devices. `keepWaiting` is called between polls; it sleeps, and
/// throws after the time limit.
[[nodiscard]] Decide makeDecide(Communicator& communicator, std::span<const DeviceId> all,
                                std::span<const DeviceId> local, std::function<void()> keepWaiting);

} // namespace weft
