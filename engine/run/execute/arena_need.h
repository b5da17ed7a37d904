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
    Bytes slots = {};
    Bytes work = {};
    Bytes ahead = {};   ///< the next batch before its step (schedule/feeds_ahead.h)
    Bytes staging = {}; ///< pinned host memory for steps that the host computes
    /// Pinned host memory for collectives, if the host cannot access the device's memory.
    Bytes meetings = {};
    /// Returns the bytes of the device's own memory.
    [[nodiscard]] Bytes all() const { return slots + work + ahead; }
    /// Returns the bytes of host memory that are needed besides the device's own.
    [[nodiscard]] Bytes onHost() const { return staging + meetings; }
    void hold(const Program& program);
};
[[nodiscard]] ArenaNeed arenaNeed(std::span<const Program> programs);

} // namespace weft
