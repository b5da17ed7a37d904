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
[[nodiscard]] inline unsigned blocksOf(const Attention& attention, std::int32_t rows, int tile) {
    return static_cast<unsigned>(attention.heads * ((rows + tile - 1) / tile));
}

/// Which keys queries of a tile see, and which queries see keys of one: neither beyond the border,
/// so that whole tiles are left out.
struct Span {
    std::int32_t begin, end;
};
[[nodiscard]] __device__ inline Span keysSeenBy(const Attention& attention, std::int32_t firstQuery,
                                                int tile) {
    const std::int32_t last = std::min(firstQuery + tile, attention.queries);
    const std::int32_t seen = attention.firstQuery + last - attention.firstKey;
    return {0, attention.isCausal ? std::max<std::int32_t>(0, std::min(seen, attention.keys))
                                  : attention.keys};
}
[[nodiscard]] __device__ inline Span queriesThatSee(const Attention& attention,
                                                    std::int32_t firstKey, int tile) {
    const std::int32_t first = attention.firstKey + firstKey - attention.firstQuery;
    return {attention.isCausal ? std::max<std::int32_t>(0, first) / tile * tile : 0,
            attention.queries};
}
[[nodiscard]] __device__ inline bool sees(const Attention& attention, std::int32_t query,
                                          std::int32_t key) {
    return query < attention.queries && key < attention.keys &&
           (!attention.isCausal || attention.firstKey + key <= attention.firstQuery + query);
}

} // namespace weft::cuda
