// SPDX-License-Identifier: Apache-2.0
#pragma once
// Checkpoints are safetensors files of logical tensors, row-major, so that any assignment can load
// them. Rank 0 writes one slot after another and never holds two. A slot that is a sum over devices
// is stored as shares ("fc6.weight/sum#2"): the same assignment restores these shares, any other
// their sum.

#include "data/batcher.h"
#include "run/checkpoint/stored_tensors.h"
#include "run/execute/worker_pool.h"

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
    std::int64_t step = 0;      ///< completed training steps
    DataPosition position = {}; ///< in the training data, of the next batch
    std::string period = {};    ///< the sync period of sums not applied yet; empty: none
    /// None if unknown or if films do not continue from step to step.
    std::optional<std::string> elements = {}; ///< the films that batch elements watch
    DataPosition countedFrom = {}; ///< where these films began; frames are counted from it
    bool isEvaluationDue = false;  ///< the evaluation after this step is still to be done
    std::string remark = {};       ///< after loading: what did not fit
};

/// Sends the part that a device of another rank holds to rank 0: the owner sends, rank 0 receives,
/// other ranks do nothing. Every rank calls it for the same parts in the same order. Not needed if
/// all devices belong to this process.
using FetchPart = std::function<void(DeviceId device, std::span<std::byte> part)>;

/// Returns the whole slot on rank 0, row-major, with its shares added up. Other ranks only send
/// their parts and get an empty result.
[[nodiscard]] std::vector<std::byte> wholeSlot(const WorkerPool& pool, SlotId slot, int rank,
                                               const FetchPart& fetch);

/// Writes the file on rank 0. Other ranks only send their parts and ignore `path`.
void saveCheckpoint(const std::filesystem::path& path, const WorkerPool& pool,
                    const CheckpointState& state, int rank, const FetchPart& fetch);

/// Returns the state of the run when the checkpoint was written. Throws Error{format} if the file
/// is not a checkpoint of Weft.
[[nodiscard]] CheckpointState readCheckpointState(const std::filesystem::path& path);

/// Returns the names of slots of which this process lacks a part. If there are none, this process
/// can save alone.
[[nodiscard]] std::vector<std::string> slotsNotFullyHere(const WorkerPool& pool);
/// Writes the checkpoint from the parts that this process's own workers hold.
void saveCheckpointAlone(const std::filesystem::path& path, const WorkerPool& pool,
                         const CheckpointState& state);

/// Fills the slots of this process's workers. Throws Error{format} naming the first slot that is
/// missing or has another shape. If the number of batch elements differs, per-element slots are
/// repeated or cut. With `hasOtherFilms` the batch elements watch other films than in the file, and
/// layer states are not loaded.
CheckpointState loadCheckpoint(const std::filesystem::path& path, WorkerPool& pool,
                               bool hasOtherFilms = false);

/// Loads parameters and statistics by name from any safetensors file, such as a PyTorch state dict.
/// Throws Error{format} for a tensor of another shape and for a file without any slot of the
/// design. If batch elements have weights of their own and the counts differ, sets are taken
/// cyclically from `element` on; a single set is copied to all.
LoadedWeights loadWeights(const std::filesystem::path& path, WorkerPool& pool,
                          std::int64_t element = 0);
/// Returns the number of batch elements for which the file has weights, if the graph has weights
/// per element. 0: the file has none such.
[[nodiscard]] std::int64_t batchElementsIn(const std::filesystem::path& path, const Graph& graph);

/// Draws the initial contents of all slots on this process's workers.
void initialiseSlots(WorkerPool& pool, std::uint64_t seed);
/// Resets the layer states of batch elements that start new films.
void resetLayerStates(WorkerPool& pool, std::uint64_t seed);
/// Resets the slots that restart after an evaluation.
void resetAfterEvaluation(WorkerPool& pool, std::uint64_t seed);

} // namespace weft
