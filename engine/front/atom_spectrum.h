// SPDX-License-Identifier: Apache-2.0
#pragma once
// The power of a patch over all spatial frequencies, on a grid finer than one cycle per patch.

#include <cstdint>
#include <span>
#include <vector>

namespace weft {

/// Numbers [channels, rows, columns]; seen, not held.
struct Patch {
    std::int64_t channels = 1;
    std::int64_t rows = 1;
    std::int64_t columns = 1;
    std::span<const float> numbers = {};

    [[nodiscard]] std::int64_t pixels() const { return rows * columns; }
    [[nodiscard]] std::int64_t longest() const { return rows > columns ? rows : columns; }
    [[nodiscard]] double at(std::int64_t channel, std::int64_t row, std::int64_t column) const {
        return static_cast<double>(
            numbers[static_cast<std::size_t>((channel * rows + row) * columns + column)]);
    }
};

/// In cycles per pixel, `down` along the rows' dim and `across` along the columns'.
struct Frequency {
    double down = 0;
    double across = 0;

    [[nodiscard]] double size() const;
};

/// Power at one frequency, summed over channels.
[[nodiscard]] double powerAt(const Patch& patch, Frequency at);

class PowerSpectrum {
public:
    explicit PowerSpectrum(const Patch& patch);

    /// Points per cycle per pixel: a power of two.
    [[nodiscard]] static std::int64_t pointsFor(const Patch& patch);

    [[nodiscard]] std::int64_t points() const { return points_; }
    /// The root of power, straight between the points of the grid.
    [[nodiscard]] double gainNear(Frequency where) const;
    /// Where it is largest, between the points of the grid.
    [[nodiscard]] Frequency peak() const;
    /// What `take(frequency, power)` is told of each point of half of the plane; the other half is
    /// the same. Power is weighted by the area that the point stands for.
    template <class Take>
    void each(const Take& take) const {
        const std::int64_t half = points_ / 2;
        const auto n = static_cast<double>(points_);
        for (std::int64_t down = -half; down <= half; ++down) {
            for (std::int64_t across = 0; across <= half; ++across) {
                const bool isEdge = across == 0 || across == half;
                const double area =
                    (isEdge ? 0.5 : 1.0) * (down == -half || down == half ? 0.5 : 1.0);
                take(Frequency{static_cast<double>(down) / n, static_cast<double>(across) / n},
                     area * at(down, across));
            }
        }
    }

private:
    /// `down` from -half to half, `across` likewise.
    [[nodiscard]] double at(std::int64_t down, std::int64_t across) const;
    /// How far, in points, the top of a parabola through the logarithms of three powers lies from
    /// the middle one.
    [[nodiscard]] static double between(double before, double here, double after);

    std::int64_t points_;
    std::vector<double> power_; ///< [points, points / 2 + 1], frequencies below 0 behind
};

} // namespace weft
