// SPDX-License-Identifier: Apache-2.0
#pragma once
// What NCCL's communicator asks of the library, answered by chips that are not there: members'
// streams meet where each has come to the same call. Sums begin with the last member, so that their
// bits may differ from those of other communicators.

#include "device/communicator_list.h"

#include <atomic>

namespace weft::sim {

/// The communicator of NCCL, for the stand-in's devices.
[[nodiscard]] DeviceCommunicator simCommunicator();
/// That of workers on one chip.
[[nodiscard]] DeviceCommunicator simChipCommunicator();

/// What goes wrong, by the number of a member among those that meet; -1: nothing.
struct MeetingFaults {
    std::atomic<int> neverJoins = -1;
    std::atomic<int> neverArrives = -1; ///< in its stream
    std::atomic<int> fails = -1;        ///< what it has said is told to it to have failed
};
[[nodiscard]] MeetingFaults& meetingFaults();

} // namespace weft::sim
