// SPDX-License-Identifier: Apache-2.0
#pragma once
// Converts f32 to bf16, always channels-last, and back, and applies the ops fused after bf16
// results.

#include "backends/cuda/kernels/kept.h"
#include "backends/cuda/products/product.h"

#include <cstdint>

namespace weft::cuda {

/// Layout of f32 maps: plain [images, channels, places], or channels-last [images, places,
/// channels].
struct Maps {
    std::int64_t images = 1, channels = 1, places = 1; ///< places: pixels per channel
    bool isLast = false;                               ///< channels-last

    [[nodiscard]] constexpr std::int64_t elements() const { return images * channels * places; }
};

/// Fused ops with an addend in bf16 instead of that of `of`.
struct Bf16Ending {
    Ending of = {};               ///< bias and ReLU
    const Bf16* addend = nullptr; ///< nullptr: none
};

/// Converts to bf16.
void launchToBf16(const Maps& maps, const float* x, Bf16* y, StreamHandle stream);
/// Converts to f32 in the layout of `maps`.
void launchToFloats(const Maps& maps, const Bf16* x, float* y, StreamHandle stream);
/// Applies the fused ops to x; x and y are channels-last, and y may be x.
void launchEpilogue(const Maps& maps, const Bf16* x, const Bf16Ending& ending, float* y,
                    StreamHandle stream);
void launchEpilogue(const Maps& maps, const Bf16* x, const Bf16Ending& ending, Bf16* y,
                    StreamHandle stream);
void launchEpilogue(const Maps& maps, const float* x, const Bf16Ending& ending, Bf16* y,
                    StreamHandle stream);
void launchEpilogue(const Maps& maps, const float* x, const Bf16Ending& ending, float* y,
                    StreamHandle stream);

} // namespace weft::cuda
