// SPDX-License-Identifier: Apache-2.0
#pragma once
// The memory that a device gives to all programs of a set (they share one arena of each kind), and
// the host memory that this device needs.

#include "schedule/program.h"

#include <cstdint>
#include <span>
#include <vector>

namespace weft {

/// Pinned memory for ops that the host computes for a device (device/staged.h). Such steps of one
/// stream run one after another and share their memory.
struct StreamStaging {
    std::vector<std::int64_t> streams; ///< offset of each stream's part
    Bytes size = {};
};
[[nodiscard]] StreamStaging stagingOf(const Program& program);

struct ArenaNeed {
    Bytes slots = {};             ///< size of the slot arena
    Bytes work = {};              ///< size of the work arena: the most that a program needs
    Bytes ahead = {};             ///< the next batch before its step (schedule/feeds_ahead.h)
    Bytes staging = {};           ///< pinned host memory for steps that the host computes
    Bytes collectiveStaging = {}; ///< pinned host memory for collectives through the host
    /// Returns the bytes of the device's own memory.
    [[nodiscard]] Bytes deviceBytes() const { return slots + work + ahead; }
    /// Returns the bytes of host memory that are needed besides the device's own.
    [[nodiscard]] Bytes hostBytes() const { return staging + collectiveStaging; }
    void growFor(const Program& program);
};
[[nodiscard]] ArenaNeed arenaNeed(std::span<const Program> programs);

} // namespace weft
