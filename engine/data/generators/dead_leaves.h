// SPDX-License-Identifier: Apache-2.0
#pragma once
// Draws drifting, textured leaves that occlude each other: pictures whose power falls with the
// square of the frequency, like photographs (Lee, Mumford and Huang, "Occlusion models for natural
// images", 2001). Radii follow r^-3, which is scale-invariant; a larger minimum radius leaves less
// detail beside edges. Each frame is drawn independently. Immutable after construction.

#include "base/philox.h"

#include <cstdint>
#include <span>
#include <vector>

namespace weft::generators {

struct LeavesForm {
    std::uint64_t seed = 1; ///< seed of the scenes
    std::int64_t rows = 32;
    std::int64_t columns = 32;
    std::int64_t channels = 1; ///< 1 or 3
    float speed = 0.5F;        ///< pixels per frame, at medium depth
    double smallest = 0.7;     ///< smallest radius of a leaf, in pixels
};

class DeadLeaves {
public:
    explicit DeadLeaves(const LeavesForm& form);

    /// `x`: [channels, rows, columns] with mean 0 and deviation 1, approximately. `scene`: any
    /// number; `frame`: within the scene.
    void draw(std::int64_t scene, std::int64_t frame, std::span<float> x) const;

private:
    struct Leaf;
    struct Canvas;
    [[nodiscard]] Leaf leafOf(std::int64_t k, double y, double x, const Philox& drawn) const;
    void paint(const Leaf& leaf, Canvas& canvas) const; ///< where nothing in front covers it
    void paintRow(const Leaf& leaf, std::int64_t row, Canvas& canvas) const;
    void makeRadii();   ///< fills `radii_`
    void makeTexture(); ///< fills `texture_`

    LeavesForm form_;            ///< size and speed of the pictures
    std::int64_t leaves_ = 0;    ///< number of leaves of a scene
    std::vector<float> radii_;   ///< quantiles of the radius
    std::vector<float> texture_; ///< periodic square of 1/f noise
};

} // namespace weft::generators
