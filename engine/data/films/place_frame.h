// SPDX-License-Identifier: Apache-2.0
#pragma once
// From a picture of any size to the numbers of a frame: cut or surrounded, in grey or colour,
// shifted, mirrored, normalised.

#include "data/films/picture.h"

#include <cstdint>
#include <filesystem>
#include <span>

namespace weft {

enum class FrameNorm : std::uint8_t { none, unit, deviation };

struct FrameForm {
    std::int64_t channels = 1;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    bool isWhole = false;  ///< of pictures which must all be of that size
    bool isPadded = false; ///< zeros where the picture does not reach; else it must
    std::int64_t down = 0; ///< of the middle: where the frame's own middle lies in the picture
    std::int64_t right = 0;
    FrameNorm norm = FrameNorm::unit;
};

struct FrameView {
    std::int64_t down = 0; ///< a shift; without padding no further than the picture reaches
    std::int64_t right = 0;
    bool isUpsideDown = false;
    bool isMirrored = false;
};

/// Error{format} that names the file whose picture is not as the frame wants it.
void ensureFits(const std::filesystem::path& path, const PictureForm& picture,
                const FrameForm& form);

/// `x`: [channels, rows, columns]
void placeFrame(const Still& picture, const FrameForm& form, const FrameView& view,
                std::span<float> x);

/// Mean 0 and deviation 1; of numbers that are all the same, 0.
void normaliseDeviation(std::span<float> x);

} // namespace weft
