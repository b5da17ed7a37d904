// SPDX-License-Identifier: Apache-2.0
#pragma once
// What all ranks of a run must have in common before the first step: the plan, and the folder that
// rank 0 keeps the run in.

#include "comm/world.h"
#include "run/family.h"
#include "run/worker_pool.h"

#include <cstdint>
#include <filesystem>

namespace weft {

/// Of every member's plan: equal on ranks that would do the same.
[[nodiscard]] std::uint64_t fingerprintOf(const Family& family);

/// Ranks that would not run the same plan stop here: Error{peer} on those that differ from rank 0.
void compareFingerprints(const Family& family, World& world);

/// Gradients are summed element by element, so that unlike processors must not keep a slot in
/// unlike formats: Error{peer} where they would.
void compareFormats(const Family& family, const WorkerPool& pool, World& world);

/// Rank 0's path, everywhere; empty where nothing is kept.
[[nodiscard]] std::filesystem::path pathEverywhere(const std::filesystem::path& path, World& world);

} // namespace weft
