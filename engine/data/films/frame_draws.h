// SPDX-License-Identifier: Apache-2.0
#pragma once
// The random views of pictures, for augmentation: shifts and flips. A view depends on seed, number
// and epoch only, so that a run that resumes sees the same.

#include "data/films/place_frame.h"
#include <weft/attributes.h>

#include <cstdint>
#include <vector>

namespace weft {

struct FrameDraws {
    std::uint64_t seed = 1;
    std::int64_t jitter = 0;
    bool mirrors = false;
    bool turnsOver = false;

    [[nodiscard]] bool areNone() const { return jitter == 0 && !mirrors && !turnsOver; }
    /// `number`: that of the picture, or of what shares its view.
    [[nodiscard]] FrameView viewOf(std::int64_t number, std::int64_t epoch) const;
};

/// The attributes jitter, flip and seed.
[[nodiscard]] std::vector<AttributeSpec> drawAttributes();
/// Reads those attributes.
[[nodiscard]] FrameDraws frameDraws(const Attributes& attributes);

} // namespace weft
