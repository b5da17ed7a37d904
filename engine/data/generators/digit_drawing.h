// SPDX-License-Identifier: Apache-2.0
#pragma once
// Draws one handwritten digit: a skeleton, shaken and bent, rendered with a pen of some width as
// MNIST shows it: in a box of 20x20, grey at the edges, its mass at the centre of 28x28. A pure
// function of seed, set and index; allocates nothing.

#include "base/philox.h"
#include "data/generators/skeleton.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace weft::generators {

constexpr std::size_t pictureSide = 28;
constexpr std::size_t picturePixels = pictureSide * pictureSide;

/// Const after making: any number of threads may draw.
class DigitDrawing {
public:
    /// `distortion` 1: as people write; 0: as print.
    DigitDrawing(std::uint64_t seed, const char* set, double distortion);

    [[nodiscard]] int label(std::int64_t index) const;
    /// Grey in 0..1, in steps of 1/255.
    void draw(std::int64_t index, std::span<float, picturePixels> picture) const;

private:
    std::uint64_t seed_;
    const char* set_;
    float distortion_;
    std::array<std::vector<Skeleton>, 10> skeletons_;
};

} // namespace weft::generators
