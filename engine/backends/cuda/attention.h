// SPDX-License-Identifier: Apache-2.0
#pragma once
// Attention, forward and backward, exactly or rounded, on the parts that are here, all plain: q
// [heads, queries, d], k [heads, keys, d], v [heads, keys, e], o and do [heads, queries, e], lse
// [heads, queries], heads being those of all examples. A block makes whole rows of its result, tile
// after tile of what they meet, so that nothing is added up by several; scores are never kept.

#include "backends/cuda/stream_handle.h"

#include <cstdint>

namespace weft::cuda {

struct Attention {
    std::int64_t heads = 1;
    std::int32_t queries = 1, keys = 1, d = 1, e = 1;
    std::int32_t firstQuery = 0, firstKey = 0; ///< of the part in the whole
    bool isCausal = false;
    float scale = 1;
};

/// Addresses of one call; those that a pass does not read are null.
struct AttentionOperands {
    const float* q = nullptr;
    const float* k = nullptr;
    const float* v = nullptr;
    const float* o = nullptr;
    const float* lse = nullptr;
    const float* dO = nullptr;
};

enum class AttentionPass : std::uint8_t { forward, dq, dk, dv };

/// Rows of a tile, such that a block's tiles fit into its shared memory; 0: features are too many.
[[nodiscard]] int attentionTile(const Attention& attention, AttentionPass pass);

/// o and lse, or dq, dk or dv.
void launchAttention(const Attention& attention, AttentionPass pass, const AttentionOperands& from,
                     float* result, float* lse, StreamHandle stream);

/// What tensor cores round to: 7 bits of bf16, or the 10 of TF32.
enum class CoreNumber : std::uint8_t { half, tf32 };
/// Features of a head that they do not go beyond.
[[nodiscard]] int mostFeatures(CoreNumber number);
/// The same with operands, shares and their changes rounded so; sums are of f32.
void launchRoundedAttention(const Attention& attention, AttentionPass pass, CoreNumber number,
                            const AttentionOperands& from, float* result, float* lse,
                            StreamHandle stream);

} // namespace weft::cuda
