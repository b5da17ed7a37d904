// SPDX-License-Identifier: Apache-2.0
#include "data/generators/dead_leaves.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace weft::generators {

namespace {

/// Average number of leaves over a point; one point in 50 is uncovered and shows the background.
constexpr double layers = 4;
constexpr std::size_t side = 128; ///< side of the texture, which is periodic
constexpr std::size_t mask = side - 1;
/// Layers behind this remaining share are invisible.
constexpr float opaque = 1.0F / 256;

/// Returns start + `walked`, modulo `extent`; the start is `share` times the extent.
float across(float share, double walked, double extent) {
    const double turns = double{share} + walked / extent;
    return static_cast<float>((turns - std::floor(turns)) * extent);
}

float shareOf(std::uint32_t bits) { return static_cast<float>(bits >> 8U) * 0x1p-24F; }

} // namespace

struct DeadLeaves::Leaf {
    float y = 0, x = 0, radius = 0;
    float contrast = 0;
    std::array<float, 3> value = {};
    std::size_t down = 0, right = 0; ///< texture index at the frame's corner
    float betweenRows = 0, betweenColumns = 0;
};

/// The drawing state of a frame, filled from front to back.
struct DeadLeaves::Canvas {
    std::span<float> x;
    std::vector<float> room; ///< uncovered share of each pixel
    std::size_t bare = 0;    ///< number of pixels with an uncovered share
};

DeadLeaves::DeadLeaves(const LeavesForm& form) : form_(form) {
    makeRadii();
    makeTexture();
}

/// Each leaf drifts on a torus larger than the frame by its radius, so that it wraps around unseen.
/// Large leaves therefore need more weight than r^-3.
void DeadLeaves::makeRadii() {
    const double smallest = form_.smallest;
    const auto rows = static_cast<double>(form_.rows + 2);
    const auto columns = static_cast<double>(form_.columns + 2);
    const double largest = std::max(2 * smallest, std::max(rows, columns) / 2 - 1);
    // The integral from `smallest` to r of r^-3 (rows + 2 r) (columns + 2 r).
    const auto integral = [&](double r) {
        return rows * columns / 2 * (1 / (smallest * smallest) - 1 / (r * r)) +
               2 * (rows + columns) * (1 / smallest - 1 / r) + 4 * std::log(r / smallest);
    };
    const double covered = std::numbers::pi * std::log(largest / smallest);
    leaves_ = static_cast<std::int64_t>(std::ceil(layers / covered * integral(largest)));
    radii_.resize(1025);
    double r = smallest;
    for (std::size_t k = 0; k < radii_.size(); ++k) {
        const double share = static_cast<double>(k) / static_cast<double>(radii_.size() - 1);
        double beyond = largest;
        for (int halving = 0; halving < 50; ++halving) {
            const double middle = (r + beyond) / 2;
            (integral(middle) < share * integral(largest) ? r : beyond) = middle;
        }
        radii_[k] = static_cast<float>(r);
    }
}

/// Sums octaves of smooth noise with equal deviations, which gives power as f^-2.
void DeadLeaves::makeTexture() {
    texture_.assign(side * side, 0);
    for (std::size_t cells = 2; cells <= side; cells *= 2) {
        const Philox drawn(
            {.seed = form_.seed, .role = "leaf texture", .step = static_cast<std::int64_t>(cells)});
        std::vector<float> grid(cells * cells);
        drawn.fillNormal(0, grid);
        const auto at = [&](std::size_t row, std::size_t column) {
            return grid[row % cells * cells + column % cells];
        };
        const std::size_t cell = side / cells;
        for (std::size_t row = 0; row < side; ++row) {
            for (std::size_t column = 0; column < side; ++column) {
                const std::size_t r = row / cell;
                const std::size_t c = column / cell;
                const auto smooth = [&](std::size_t place) {
                    const float t = static_cast<float>(place % cell) / static_cast<float>(cell);
                    return t * t * (3 - 2 * t);
                };
                const float above = std::lerp(at(r, c), at(r, c + 1), smooth(column));
                const float below = std::lerp(at(r + 1, c), at(r + 1, c + 1), smooth(column));
                texture_[row * side + column] += std::lerp(above, below, smooth(row));
            }
        }
    }
    double squares = 0;
    for (const float value : texture_) {
        squares += double{value} * double{value};
    }
    const auto scale =
        static_cast<float>(1 / std::sqrt(squares / static_cast<double>(texture_.size())));
    std::ranges::for_each(texture_, [scale](float& value) { value *= scale; });
}

/// `y`, `x`: the drift at medium depth.
DeadLeaves::Leaf DeadLeaves::leafOf(std::int64_t k, double y, double x, const Philox& drawn) const {
    Leaf leaf;
    std::array<std::uint32_t, 8> words = {};
    drawn.fillBits(static_cast<std::uint64_t>(k) * 8, words);
    // Leaves in front drift faster.
    const double speed = 1.25 - 0.5 * static_cast<double>(k) / static_cast<double>(leaves_);
    const float share = shareOf(words[2]) * static_cast<float>(radii_.size() - 1);
    const auto entry = static_cast<std::size_t>(share);
    leaf.radius = std::lerp(radii_[entry], radii_[entry + 1], share - static_cast<float>(entry));
    const double reach = double{leaf.radius} + 1;
    leaf.y = across(shareOf(words[0]), speed * y, static_cast<double>(form_.rows) + 2 * reach) -
             static_cast<float>(reach);
    leaf.x = across(shareOf(words[1]), speed * x, static_cast<double>(form_.columns) + 2 * reach) -
             static_cast<float>(reach);
    if (k == leaves_) { // the background
        leaf.radius = static_cast<float>(4 * (form_.rows + form_.columns));
    }
    const float grey = (2 * shareOf(words[3]) - 1) * 1.6F;
    const float warm = form_.channels == 1 ? 0 : (2 * shareOf(words[4]) - 1) * 0.5F;
    const float green = form_.channels == 1 ? 0 : (2 * shareOf(words[5]) - 1) * 0.3F;
    leaf.value = {grey + warm, grey + green, grey - warm};
    leaf.contrast = 0.15F + 0.45F * shareOf(words[6]);
    // The texture moves with its leaf, so the offset between texture pixels is constant over the
    // leaf.
    const float down = static_cast<float>(words[7] >> 20U) - leaf.y;
    const float right = static_cast<float>(words[7] & 0xFFFU) - leaf.x;
    leaf.betweenRows = down - std::floor(down);
    leaf.betweenColumns = right - std::floor(right);
    leaf.down = static_cast<std::size_t>(static_cast<std::int64_t>(std::floor(down))) & mask;
    leaf.right = static_cast<std::size_t>(static_cast<std::int64_t>(std::floor(right))) & mask;
    return leaf;
}

void DeadLeaves::draw(std::int64_t scene, std::int64_t frame, std::span<float> x) const {
    const Philox drawn({.seed = form_.seed, .role = "leaves", .step = scene});
    const auto direction =
        2 * std::numbers::pi * double{drawn.uniform(static_cast<std::uint64_t>(leaves_) * 8 + 8)};
    const double walked = double{form_.speed} * static_cast<double>(frame);
    std::ranges::fill(x, 0.0F);
    const auto pixels = static_cast<std::size_t>(form_.rows * form_.columns);
    Canvas canvas{x, std::vector<float>(pixels, 1.0F), pixels};
    for (std::int64_t k = 0; k <= leaves_ && canvas.bare > 0; ++k) {
        paint(leafOf(k, walked * std::sin(direction), walked * std::cos(direction), drawn), canvas);
    }
}

void DeadLeaves::paint(const Leaf& leaf, Canvas& canvas) const {
    const float reach = leaf.radius + 0.5F;
    const auto first =
        std::max<std::int64_t>(0, static_cast<std::int64_t>(std::ceil(leaf.y - reach)));
    const auto last = std::min<std::int64_t>(form_.rows - 1,
                                             static_cast<std::int64_t>(std::floor(leaf.y + reach)));
    for (std::int64_t row = first; row <= last; ++row) {
        paintRow(leaf, row, canvas);
    }
}

void DeadLeaves::paintRow(const Leaf& leaf, std::int64_t row, Canvas& canvas) const {
    const float outer = leaf.radius + 0.5F;
    const float inner = std::max(leaf.radius - 0.5F, 0.0F);
    const float dy = static_cast<float>(row) - leaf.y;
    const float half = std::sqrt(std::max(0.0F, outer * outer - dy * dy));
    const auto first =
        std::max<std::int64_t>(0, static_cast<std::int64_t>(std::ceil(leaf.x - half)));
    const auto last = std::min<std::int64_t>(form_.columns - 1,
                                             static_cast<std::int64_t>(std::floor(leaf.x + half)));
    const auto plane = static_cast<std::size_t>(form_.rows * form_.columns);
    const float* above =
        texture_.data() + ((leaf.down + static_cast<std::size_t>(row)) & mask) * side;
    const float* below =
        texture_.data() + ((leaf.down + static_cast<std::size_t>(row) + 1) & mask) * side;
    for (std::int64_t column = first; column <= last; ++column) {
        const auto at = static_cast<std::size_t>(row * form_.columns + column);
        float& room = canvas.room[at];
        if (room < opaque) {
            continue;
        }
        const float dx = static_cast<float>(column) - leaf.x;
        const float squared = dx * dx + dy * dy;
        const float covered =
            squared <= inner * inner ? 1 : std::clamp(outer - std::sqrt(squared), 0.0F, 1.0F);
        const std::size_t left = (leaf.right + static_cast<std::size_t>(column)) & mask;
        const std::size_t right = (left + 1) & mask;
        const float over = above[left] + leaf.betweenColumns * (above[right] - above[left]);
        const float under = below[left] + leaf.betweenColumns * (below[right] - below[left]);
        const float grain = leaf.contrast * (over + leaf.betweenRows * (under - over));
        const float weight = room * covered;
        for (std::size_t channel = 0; channel < static_cast<std::size_t>(form_.channels);
             ++channel) {
            canvas.x[channel * plane + at] += weight * (leaf.value[channel] + grain);
        }
        room -= weight;
        canvas.bare -= room < opaque ? 1 : 0;
    }
}

} // namespace weft::generators
