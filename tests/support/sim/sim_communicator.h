// SPDX-License-Identifier: Apache-2.0
#pragma once
// Simulates NCCL for simulated chips: members' streams synchronise once each has reached the same
// call. Sums start with the last member, so that their bits may differ from those of other
// communicators.

#include "device/communicator_list.h"

#include <atomic>

namespace weft::sim {

/// The communicator of NCCL, for the stand-in's devices.
[[nodiscard]] DeviceCommunicator simCommunicator();
/// That of workers on one chip.
[[nodiscard]] DeviceCommunicator simChipCommunicator();

/// Injected faults, by the number of a member of the collective; -1: none.
struct MeetingFaults {
    std::atomic<int> neverJoins = -1;
    std::atomic<int> neverArrives = -1; ///< in its stream
    std::atomic<int> fails = -1;        ///< its calls are reported as failed
};
[[nodiscard]] MeetingFaults& meetingFaults();

} // namespace weft::sim
