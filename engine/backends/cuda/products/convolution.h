// SPDX-License-Identifier: Apache-2.0
#pragma once
// Geometry of a convolution on local parts: x [batch, groups inputs, rows, columns], y [batch,
// groups outputs, window rows, window columns], filters w [sets, groups outputs, inputs, kernel
// rows, kernel columns]. Each is plain or channels-last (inputs innermost, or outputs for y). Also
// included by CUDA sources.

#include <cstdint>

namespace weft::cuda {

/// Strides between channels (or filters) and between positions.
struct MapSteps {
    std::int32_t channel = 1, place = 1; ///< strides in elements; place: of positions
};
[[nodiscard]] constexpr MapSteps stepsOf(bool isLast, std::int32_t channels, std::int32_t places) {
    return isLast ? MapSteps{1, channels} : MapSteps{places, 1};
}

struct Convolution {
    std::int64_t batch = 1;
    std::int32_t groups = 1, inputs = 1, outputs = 1; ///< channels per group
    std::int32_t rows = 1, columns = 1, windowRows = 1, windowColumns = 1;
    std::int32_t kernelRows = 1, kernelColumns = 1;
    std::int32_t strideRows = 1, strideColumns = 1, dilationRows = 1, dilationColumns = 1;
    std::int32_t top = 0, left = 0; ///< padding before the local part of x
    bool hasSetPerElement = false, hasSetPerPosition = false; ///< separate filters
    bool isXLast = false, isWLast = false, isYLast = false;   ///< channels-last instead of plain

    [[nodiscard]] constexpr std::int32_t plane() const { return rows * columns; }
    [[nodiscard]] constexpr std::int32_t positions() const { return windowRows * windowColumns; }
    [[nodiscard]] constexpr std::int32_t taps() const { return kernelRows * kernelColumns; }
    /// Numbers per filter.
    [[nodiscard]] constexpr std::int64_t filter() const {
        return static_cast<std::int64_t>(inputs) * taps();
    }
    [[nodiscard]] constexpr std::int64_t elementsOfSet() const {
        return hasSetPerElement ? 1 : batch;
    }
    [[nodiscard]] constexpr MapSteps stepsOfX() const {
        return stepsOf(isXLast, groups * inputs, plane());
    }
    [[nodiscard]] constexpr MapSteps stepsOfW() const { return stepsOf(isWLast, inputs, taps()); }
    [[nodiscard]] constexpr MapSteps stepsOfY() const {
        return stepsOf(isYLast, groups * outputs, positions());
    }
    /// Returns the same convolution with all operands channels-last.
    [[nodiscard]] constexpr Convolution channelsLast() const {
        Convolution c = *this;
        c.isXLast = c.isWLast = c.isYLast = true;
        return c;
    }
};

} // namespace weft::cuda
