// SPDX-License-Identifier: Apache-2.0
#pragma once
// Attention, forward and backward, exact or rounded, on local parts in plain format: q [heads,
// queries, d], k [heads, keys, d], v [heads, keys, e], o and do [heads, queries, e], lse [heads,
// queries], with the heads of all examples. A block computes whole rows of its result in tiles, so
// that no sum is shared; scores are not stored.

#include "backends/cuda/kernels/stream_handle.h"

#include <cstdint>

namespace weft::cuda {

struct Attention {
    std::int64_t heads = 1;                           ///< heads of all examples
    std::int32_t queries = 1, keys = 1, d = 1, e = 1; ///< per head; d: features of q and k, e: of v
    std::int32_t firstQuery = 0, firstKey = 0;        ///< offset of the local part in the whole
    bool isCausal = false;
    float scale = 1;
};

/// Addresses of one call; operands that a pass does not read are null.
struct AttentionOperands {
    const float* q = nullptr;
    const float* k = nullptr;
    const float* v = nullptr;
    const float* o = nullptr;
    const float* lse = nullptr; ///< log of the sum of exponentials, per query
    const float* dO = nullptr;  ///< gradient of o
};

enum class AttentionPass : std::uint8_t { forward, dq, dk, dv };

/// Returns the rows of a tile, so that a block's tiles fit in shared memory; 0: too many features.
[[nodiscard]] int attentionTile(const Attention& attention, AttentionPass pass);

/// Computes o and lse, or dq, dk or dv.
void launchAttention(const Attention& attention, AttentionPass pass, const AttentionOperands& from,
                     float* result, float* lse, StreamHandle stream);

/// Number format of tensor cores: bf16 (7 bits) or TF32 (10 bits).
enum class TensorCoreFormat : std::uint8_t { bf16, tf32 };
/// Maximum number of features per head.
[[nodiscard]] int mostHeadFeatures(TensorCoreFormat number);
/// As launchAttention, with operands, probabilities and their gradients rounded; sums are f32.
void launchRoundedAttention(const Attention& attention, AttentionPass pass, TensorCoreFormat number,
                            const AttentionOperands& from, float* result, float* lse,
                            StreamHandle stream);

} // namespace weft::cuda
