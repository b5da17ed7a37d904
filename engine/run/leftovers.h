// SPDX-License-Identifier: Apache-2.0
#pragma once
// What may be left on this host of ranks that mpirun no longer looks after: their processes, and
// the files that OpenMPI keeps in shared memory and among the temporary files of its session.

#include "comm/host/host_words.h"

#include <filesystem>
#include <span>

namespace weft {

/// Ends those ranks of this host that still run.
void killLeftRanks(std::span<const RankIdentity> ranks);

/// Of this rank's job: those of its host that are stopped, which end by nobody's word once the
/// launcher is gone, and the files of theirs that OpenMPI leaves then.
void killStoppedRanks(const RankIdentity& rank);

/// The run's folder, if there is one, takes no wishes any more and may be resumed; called once
/// nobody runs it.
void freeRunFolder(const std::filesystem::path& run);

/// Removes the files of that job and of that mpirun, which has ended.
void removeLeftFiles(std::span<const RankIdentity> ranks, int mpirun);

} // namespace weft
