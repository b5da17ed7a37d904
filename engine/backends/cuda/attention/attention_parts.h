// SPDX-License-Identifier: Apache-2.0
#pragma once
// Index ranges of queries and keys for CUDA sources: a block computes rows of its result over tiles
// of the other operand.

#include "backends/cuda/attention/attention.h"
#include "backends/cuda/kernels/launch.h"

namespace weft::cuda {

/// The head and rows that a block computes.
struct BlockRows {
    std::int64_t head;
    std::int32_t first; ///< first row of the block
};
[[nodiscard]] __device__ inline BlockRows blockRowsOf(std::int32_t rows, int tile) {
    const std::int32_t tiles = (rows + tile - 1) / tile;
    const auto block = static_cast<std::int32_t>(blockIdx.x);
    return {block / tiles, block % tiles * tile};
}
[[nodiscard]] inline unsigned blockCount(const Attention& attention, std::int32_t rows, int tile) {
    return static_cast<unsigned>(attention.heads * ((rows + tile - 1) / tile));
}

/// The keys that a tile of queries attends to, or the queries that attend to a tile of keys, so
/// that fully masked tiles are skipped.
struct IndexRange {
    std::int32_t begin, end;
};
[[nodiscard]] __device__ inline IndexRange keysAttendedBy(const Attention& attention,
                                                          std::int32_t firstQuery, int tile) {
    const std::int32_t last = std::min(firstQuery + tile, attention.queries);
    const std::int32_t seen = attention.firstQuery + last - attention.firstKey;
    return {0, attention.isCausal ? std::max<std::int32_t>(0, std::min(seen, attention.keys))
                                  : attention.keys};
}
[[nodiscard]] __device__ inline IndexRange queriesAttendingTo(const Attention& attention,
                                                              std::int32_t firstKey, int tile) {
    const std::int32_t first = attention.firstKey + firstKey - attention.firstQuery;
    return {attention.isCausal ? std::max<std::int32_t>(0, first) / tile * tile : 0,
            attention.queries};
}
[[nodiscard]] __device__ inline bool attends(const Attention& attention, std::int32_t query,
                                             std::int32_t key) {
    return query < attention.queries && key < attention.keys &&
           (!attention.isCausal || attention.firstKey + key <= attention.firstQuery + query);
}

} // namespace weft::cuda
