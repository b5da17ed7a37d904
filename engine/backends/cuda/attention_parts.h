// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which rows of queries and keys meet, for sources of kernels: a block makes rows of its result,
// tile after tile of what they meet.

#include "backends/cuda/attention.h"
#include "backends/cuda/launch.h"

namespace weft::cuda {

/// Which head and which of its rows a block makes.
struct BlockRows {
    std::int64_t head;
    std::int32_t first;
};
[[nodiscard]] __device__ inline BlockRows blockRowsOf(std::int32_t rows, int tile) {
    const std::int32_t tiles = (rows + tile - 1) / tile;
    const auto block = static_cast<std::int32_t>(blockIdx.x);
    return {block / tiles, block % tiles * tile};
}
[[nodiscard]] inline unsigned blocksOf(const Attention& at, std::int32_t rows, int tile) {
    return static_cast<unsigned>(at.heads * ((rows + tile - 1) / tile));
}

/// Which keys queries of a tile see, and which queries see keys of one: neither beyond the border,
/// so that whole tiles are left out.
struct Span {
    std::int32_t begin, end;
};
[[nodiscard]] __device__ inline Span keysSeenBy(const Attention& at, std::int32_t firstQuery,
                                                int tile) {
    const std::int32_t last = std::min(firstQuery + tile, at.queries);
    const std::int32_t seen = at.firstQuery + last - at.firstKey;
    return {0, at.isCausal ? std::max<std::int32_t>(0, std::min(seen, at.keys)) : at.keys};
}
[[nodiscard]] __device__ inline Span queriesThatSee(const Attention& at, std::int32_t firstKey,
                                                    int tile) {
    const std::int32_t first = at.firstKey + firstKey - at.firstQuery;
    return {at.isCausal ? std::max<std::int32_t>(0, first) / tile * tile : 0, at.queries};
}
[[nodiscard]] __device__ inline bool sees(const Attention& at, std::int32_t query,
                                          std::int32_t key) {
    return query < at.queries && key < at.keys &&
           (!at.isCausal || at.firstKey + key <= at.firstQuery + query);
}

} // namespace weft::cuda
