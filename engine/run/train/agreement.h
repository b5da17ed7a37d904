// SPDX-License-Identifier: Apache-2.0
#pragma once
// Exchanges what all ranks of a run must have in common before the first step: the machine that
// they plan for, the plan, and the folder in which rank 0 keeps the run.

#include "comm/world.h"
#include "compile/program_set.h"
#include "run/execute/worker_pool.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace weft {

/// The file in a run's folder that holds the machine.
inline constexpr const char* machineFile = "machine.json";

/// Returns rank 0's machine on every rank. If `run` is a run to resume that was planned for a
/// machine with the same devices, returns that machine.
[[nodiscard]] MachineSheet broadcastMachine(World& world, const std::filesystem::path& run = {});

/// Returns a fingerprint of every variant's plan. Ranks with equal fingerprints do the same.
[[nodiscard]] std::uint64_t fingerprintOf(const ProgramSet& programSet);

/// Throws Error{peer} if workers that hold the same part of a slot keep it in different formats:
/// gradients are summed element by element. Different parts may have different formats.
void compareFormats(const ProgramSet& programSet, const WorkerPool& pool,
                    const std::vector<int>& rankOf, World& world);

/// Returns rank 0's path on every rank, or an empty path if nothing is kept.
[[nodiscard]] std::filesystem::path broadcastPath(const std::filesystem::path& path, World& world);

/// A steady clock, and the time on that clock at which a log began.
struct ClockBegin {
    std::string name;       ///< identifies the clock: equal names are the same clock
    std::int64_t begin = 0; ///< time on that clock when the log began, in nanoseconds
};
/// Returns rank 0's value on every rank.
[[nodiscard]] ClockBegin broadcastClock(const ClockBegin& mine, World& world);

} // namespace weft
