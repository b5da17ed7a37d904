// SPDX-License-Identifier: Apache-2.0
#pragma once
// The random views of pictures, for augmentation: shifts and flips. A view depends on seed, number
// and epoch only, so that a run that resumes sees the same.

#include "data/films/place_frame.h"
#include <weft/attributes.h>

#include <cstdint>
#include <vector>

namespace weft {

struct FrameAugmentation {
    std::uint64_t seed = 1;       ///< seed of the random views
    std::int64_t jitter = 0;      ///< largest random shift in each direction, in pixels
    bool mirrorsAtRandom = false; ///< mirrors half of the pictures, left to right
    bool flipsAtRandom = false;   ///< turns half of the pictures upside down

    [[nodiscard]] bool isOff() const { return jitter == 0 && !mirrorsAtRandom && !flipsAtRandom; }
    /// `number`: that of the picture, or of what shares its view.
    [[nodiscard]] FrameView viewOf(std::int64_t number, std::int64_t epoch) const;
};

/// The attributes jitter, flip and seed.
[[nodiscard]] std::vector<AttributeSpec> augmentationAttributes();
/// Reads those attributes.
[[nodiscard]] FrameAugmentation frameAugmentation(const Attributes& attributes);

} // namespace weft
