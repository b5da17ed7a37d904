// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a device gives to the programs of a programSet: one arena of each kind serves all of them.
// And what such a device needs of its host.

#include "schedule/program.h"

#include <cstdint>
#include <span>
#include <vector>

namespace weft {

/// Pinned memory for what the host computes for a device (device/staged.h): such steps of one
/// stream follow one another, and share theirs.
struct LaneStaging {
    std::vector<std::int64_t> streams; ///< where that of each stream begins
    Bytes size = {};
};
[[nodiscard]] LaneStaging stagingOf(const Program& program);

struct ArenaNeed {
    Bytes slots = {};
    Bytes work = {};
    Bytes ahead = {};    ///< where the next batch waits (schedule/feeds_ahead.h)
    Bytes staging = {};  ///< pinned memory of the host for steps that the host computes
    Bytes meetings = {}; ///< and for collectives, where the host may not touch the device's memory
    /// Of the device's own memory.
    [[nodiscard]] Bytes all() const { return slots + work + ahead; }
    /// Of the host's, beside the device's own.
    [[nodiscard]] Bytes onHost() const { return staging + meetings; }
    void hold(const Program& program);
};
[[nodiscard]] ArenaNeed arenaNeed(std::span<const Program> programs);

} // namespace weft
