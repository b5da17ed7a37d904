// SPDX-License-Identifier: Apache-2.0
#pragma once
// Checkpoints are safetensors of logical tensors, plain row-major: what was saved under one
// assignment is loaded under any other. Rank 0 streams slot after slot and never holds two. What
// lies as a sum over devices stands there share by share ("fc6.weight/sum#2"): the same assignment
// goes on with the very shares, any other with their sum.

#include "data/batcher.h"
#include "run/stored_tensors.h"
#include "run/worker_pool.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace weft {

struct CheckpointState {
    std::int64_t step = 0;
    DataPosition position = {};
    std::string period = {}; ///< by which sums are kept that are not applied yet; empty: none are
    /// Who of a batch watches what, where films go on from step to step; none: it is not known.
    std::optional<std::string> elements = {};
    DataPosition anew = {};       ///< where they began
    bool isEvaluationDue = false; ///< the evaluation after the step has not been made
    std::string remark = {};      ///< of one that was loaded: what of it did not fit
};

/// Brings the part that a device of another rank holds to rank 0: the owner gives it, rank 0 gets
/// it, the others do nothing. Every rank calls it for the same parts in the same order. Not needed
/// when all devices are this process's.
using FetchPart = std::function<void(DeviceId device, std::span<std::byte> part)>;

/// On rank 0 the slot as a whole, plain and row-major, its shares added up; on others it only
/// serves parts and nothing comes of it.
[[nodiscard]] std::vector<std::byte> wholeSlot(const WorkerPool& pool, SlotId slot, int rank,
                                               const FetchPart& fetch);

/// On rank 0 writes the file; on others only serves parts (`path` is not looked at).
void saveCheckpoint(const std::filesystem::path& path, const WorkerPool& pool,
                    const CheckpointState& state, int rank, const FetchPart& fetch);

/// Where a run stood when it was written. Error{format} for a file that is no checkpoint of Weft.
[[nodiscard]] CheckpointState readCheckpointState(const std::filesystem::path& path);

/// Names of slots of which this process lacks a part: none of them, and it can save without the
/// others.
[[nodiscard]] std::vector<std::string> slotsNotWholeHere(const WorkerPool& pool);
/// The file, from what this process's own workers hold.
void saveCheckpointAlone(const std::filesystem::path& path, const WorkerPool& pool,
                         const CheckpointState& state);

/// Fills the slots of this process's workers. Every slot must be in the file with its shape:
/// Error{format} names the first that is not. What layers remember or learn of each of another
/// number of elements is repeated or left out. `areOthers`: of elements that are not those of the
/// file what layers remember is left as it is.
CheckpointState loadCheckpoint(const std::filesystem::path& path, WorkerPool& pool,
                               bool areOthers = false);

/// Parameters and statistics by name out of any safetensors file, such as a PyTorch state dict;
/// a tensor of another shape is Error{format}, and so is a file with nothing that the design has.
/// Where each element of a batch has its own and the file has another number of them, they are
/// taken from `element` on, over and over; where it has one set and there are several here, all
/// begin with it.
LoadedWeights loadWeights(const std::filesystem::path& path, WorkerPool& pool,
                          std::int64_t element = 0);
/// For how many elements of a batch the file has weights that the graph has one set of for each; 0:
/// it has none such.
[[nodiscard]] std::int64_t elementsIn(const std::filesystem::path& path, const Graph& graph);

/// Draws the first contents of all slots on this process's workers.
void initialiseSlots(WorkerPool& pool, std::uint64_t seed);
/// What layers remember of elements that begin anew.
void restElements(WorkerPool& pool, std::uint64_t seed);
/// What begins anew when an evaluation has ended.
void restWithEvaluation(WorkerPool& pool, std::uint64_t seed);

} // namespace weft
