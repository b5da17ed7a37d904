// SPDX-License-Identifier: Apache-2.0
#pragma once
// The power spectrum of a patch on a grid of spatial frequencies that is finer than one cycle per
// patch.

#include <cstdint>
#include <span>
#include <vector>

namespace weft {

/// A view of numbers [channels, rows, columns], which it does not own.
struct Patch {
    std::int64_t channels = 1;
    std::int64_t rows = 1;
    std::int64_t columns = 1;
    std::span<const float> numbers = {};

    [[nodiscard]] std::int64_t pixels() const { return rows * columns; }
    [[nodiscard]] std::int64_t longestSide() const { return rows > columns ? rows : columns; }
    [[nodiscard]] double at(std::int64_t channel, std::int64_t row, std::int64_t column) const {
        return static_cast<double>(
            numbers[static_cast<std::size_t>((channel * rows + row) * columns + column)]);
    }
};

/// A spatial frequency.
struct Frequency {
    double down = 0;   ///< cycles per pixel along the rows' dim
    double across = 0; ///< cycles per pixel along the columns' dim

    [[nodiscard]] double magnitude() const;
};

/// Returns the power at one frequency, summed over channels.
[[nodiscard]] double powerAt(const Patch& patch, Frequency at);

class PowerSpectrum {
public:
    explicit PowerSpectrum(const Patch& patch);

    /// Returns the number of grid points per cycle per pixel for a patch: a power of two.
    [[nodiscard]] static std::int64_t gridPointsFor(const Patch& patch);

    [[nodiscard]] std::int64_t points() const { return points_; } ///< per cycle per pixel
    /// Returns the square root of the power, interpolated linearly between grid points.
    [[nodiscard]] double gainNear(Frequency where) const;
    /// Returns the frequency with the largest power, interpolated between grid points.
    [[nodiscard]] Frequency peak() const;
    /// Calls `take(frequency, power)` for each grid point of half of the plane; the other half is
    /// the same. Power is weighted by the area that the point represents.
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
                     area * gridPower(down, across));
            }
        }
    }

private:
    /// Returns the power at a grid point; `down` and `across` range from -points / 2 to points / 2.
    [[nodiscard]] double gridPower(std::int64_t down, std::int64_t across) const;
    /// Returns the distance, in grid points, from the middle point to the maximum of a parabola
    /// through the logarithms of three powers.
    [[nodiscard]] static double peakOffset(double before, double here, double after);

    std::int64_t points_;       ///< grid points per cycle per pixel
    std::vector<double> power_; ///< [points, points / 2 + 1]; negative frequencies come last
};

} // namespace weft
