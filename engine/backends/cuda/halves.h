// SPDX-License-Identifier: Apache-2.0
#pragma once
// Numbers of f32 as halves, which are those of bf16 and always lie channels-last; and back.

#include "backends/cuda/half.h"
#include "backends/cuda/product.h"

#include <cstdint>

namespace weft::cuda {

/// Of f32, plain: [images, channels, places]; or channels-last: [images, places, channels].
struct Maps {
    std::int64_t images = 1, channels = 1, places = 1;
    bool isLast = false;

    [[nodiscard]] constexpr std::int64_t elements() const { return images * channels * places; }
};

void launchHalves(const Maps& maps, const float* x, Half* y, Stream stream);
/// y with what follows it: a bias by channel, an addend that lies as y does
void launchFloats(const Maps& maps, const Half* x, const Ending& ending, float* y, Stream stream);

} // namespace weft::cuda
