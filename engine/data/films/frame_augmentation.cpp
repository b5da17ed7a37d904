// SPDX-License-Identifier: Apache-2.0
#include "data/films/frame_augmentation.h"

#include "base/philox.h"

#include <string>

namespace weft {

FrameView FrameAugmentation::viewOf(std::int64_t number, std::int64_t epoch) const {
    const Philox drawn({.seed = seed, .role = "frame view", .step = number});
    const auto first = static_cast<std::uint64_t>(epoch) * 4;
    const auto shift = [&](std::uint64_t element) {
        const auto choices = static_cast<std::uint64_t>(2 * jitter + 1);
        return static_cast<std::int64_t>(drawn.below(first + element, choices)) - jitter;
    };
    const auto isHeads = [&](std::uint64_t element) {
        return drawn.bits(first + element) >> 31U == 0;
    };
    return {.down = shift(0),
            .right = shift(1),
            .isUpsideDown = flipsAtRandom && isHeads(2),
            .isMirrored = mirrorsAtRandom && isHeads(3)};
}

std::vector<AttributeSpec> augmentationAttributes() {
    return {{.name = "jitter",
             .defaultValue = std::int64_t{0},
             .help = "Augmentation: maximum random shift in pixels in each direction, for a random "
                     "crop; limited by the picture, or zero-padded.",
             .least = 0,
             .most = 1000},
            {.name = "flip",
             .defaultValue = std::string("none"),
             .help = "Augmentation: random flip with probability 1/2, horizontal or vertical.",
             .choices = {"none", "horizontal", "vertical", "both"}},
            {.name = "seed",
             .defaultValue = std::int64_t{1},
             .help = "Random seed of the augmentation, which depends on seed, index and epoch "
                     "only."}};
}

FrameAugmentation frameAugmentation(const Attributes& attributes) {
    const std::string& flip = attributes.text("flip");
    return {.seed = static_cast<std::uint64_t>(attributes.integer("seed")),
            .jitter = attributes.integer("jitter"),
            .mirrorsAtRandom = flip == "horizontal" || flip == "both",
            .flipsAtRandom = flip == "vertical" || flip == "both"};
}

} // namespace weft
