// SPDX-License-Identifier: Apache-2.0
#pragma once
// Numbers of f32 as halves, which are those of bf16 and always lie channels-last; and back; and
// what follows results of halves.

#include "backends/cuda/kept.h"
#include "backends/cuda/product.h"

#include <cstdint>

namespace weft::cuda {

/// Layout of f32 maps: plain [images, channels, places], or channels-last [images, places,
/// channels].
struct Maps {
    std::int64_t images = 1, channels = 1, places = 1;
    bool isLast = false;

    [[nodiscard]] constexpr std::int64_t elements() const { return images * channels * places; }
};

/// What follows a result: `of`, with an addend of halves in the place of its own.
struct HalfEnding {
    Ending of = {};
    const Half* addend = nullptr;
};

/// As halves.
void launchHalves(const Maps& maps, const float* x, Half* y, StreamHandle stream);
/// As f32, which lies as `maps` says.
void launchFloats(const Maps& maps, const Half* x, float* y, StreamHandle stream);
/// With what follows x, which lies as y does, channels-last; y may be x.
void launchEnded(const Maps& maps, const Half* x, const HalfEnding& ending, float* y,
                 StreamHandle stream);
void launchEnded(const Maps& maps, const Half* x, const HalfEnding& ending, Half* y,
                 StreamHandle stream);
void launchEnded(const Maps& maps, const float* x, const HalfEnding& ending, Half* y,
                 StreamHandle stream);
void launchEnded(const Maps& maps, const float* x, const HalfEnding& ending, float* y,
                 StreamHandle stream);

} // namespace weft::cuda
