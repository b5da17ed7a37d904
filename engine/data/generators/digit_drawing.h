// SPDX-License-Identifier: Apache-2.0
#pragma once
// Draws a handwritten digit like MNIST's: a randomly distorted skeleton, drawn with a pen into a
// box of 20x20, antialiased, with its centre of mass at the centre of 28x28. A pure function of
// seed, set and index; allocates nothing.

#include "base/philox.h"
#include "data/generators/skeleton.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace weft::generators {

constexpr std::size_t pictureSide = 28;
constexpr std::size_t picturePixels = pictureSide * pictureSide;

/// Immutable after construction; thread-safe.
class DigitDrawing {
public:
    /// `distortion` 1: handwriting; 0: undistorted.
    DigitDrawing(std::uint64_t seed, const char* set, double distortion);

    [[nodiscard]] int label(std::int64_t index) const; ///< the digit, 0 to 9
    /// Grey in 0..1, in steps of 1/255.
    void draw(std::int64_t index, std::span<float, picturePixels> picture) const;

private:
    std::uint64_t seed_;
    const char* set_;  ///< "training" or the like: sets draw different digits
    float distortion_; ///< 0: none; 1: like handwriting
    std::array<std::vector<Skeleton>, 10> skeletons_; ///< forms by digit
};

} // namespace weft::generators
