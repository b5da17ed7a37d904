// SPDX-License-Identifier: Apache-2.0
#pragma once
// What all ranks of a run must have in common before the first step: the machine that they plan
// for, the plan, and the folder that rank 0 keeps the run in.

#include "comm/world.h"
#include "run/program_set.h"
#include "run/worker_pool.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace weft {

/// In a run's folder.
inline constexpr const char* machineFile = "machine.json";

/// The machine that rank 0 is on, or the one that `run`, which goes on, was planned for, where that
/// has the same devices.
[[nodiscard]] MachineSheet machineEverywhere(World& world, const std::filesystem::path& run = {});

/// Fingerprint of every variant's plan; equal on ranks that would do the same.
[[nodiscard]] std::uint64_t fingerprintOf(const ProgramSet& programSet);

/// Gradients are summed element by element, so that unlike processors must not keep the same part
/// of a slot in unlike formats: Error{peer} where they would. Parts that differ lie as they like.
void compareFormats(const ProgramSet& programSet, const WorkerPool& pool,
                    const std::vector<int>& rankOf, World& world);

/// Rank 0's path, everywhere; empty where nothing is kept.
[[nodiscard]] std::filesystem::path pathEverywhere(const std::filesystem::path& path, World& world);

/// A steady clock, and when a log began by it.
struct ClockBegin {
    std::string name;
    std::int64_t begin = 0;
};
/// Rank 0's, everywhere.
[[nodiscard]] ClockBegin clockEverywhere(const ClockBegin& mine, World& world);

} // namespace weft
