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
    std::int64_t images = 1, channels = 1, places = 1;
    bool isLast = false;

    [[nodiscard]] constexpr std::int64_t elements() const { return images * channels * places; }
};

/// Fused ops with an addend in bf16 instead of that of `of`.
struct HalfEnding {
    Ending of = {};
    const Half* addend = nullptr;
};

/// Converts to bf16.
void launchBf16(const Maps& maps, const float* x, Half* y, StreamHandle stream);
/// Converts to f32 in the layout of `maps`.
void launchFloats(const Maps& maps, const Half* x, float* y, StreamHandle stream);
/// Applies the fused ops to x; x and y are channels-last, and y may be x.
void launchEnded(const Maps& maps, const Half* x, const HalfEnding& ending, float* y,
                 StreamHandle stream);
void launchEnded(const Maps& maps, const Half* x, const HalfEnding& ending, Half* y,
                 StreamHandle stream);
void launchEnded(const Maps& maps, const float* x, const HalfEnding& ending, Half* y,
                 StreamHandle stream);
void launchEnded(const Maps& maps, const float* x, const HalfEnding& ending, float* y,
                 StreamHandle stream);

} // namespace weft::cuda
