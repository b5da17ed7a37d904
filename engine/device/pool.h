// SPDX-License-Identifier: Apache-2.0
#pragma once
// Index arithmetic of a pooling on the local part of a map: which elements a window covers, and
// which windows cover an element. Rows and columns are local. Also included by CUDA sources.

#include <algorithm>
#include <cstdint>

namespace weft {

/// The indices begin, begin + step, ... below end.
struct Taps {
    std::int64_t begin = 0;
    std::int64_t end = 0; ///< past the last
    std::int64_t step = 1;
    [[nodiscard]] constexpr std::int64_t count() const { return (end - begin + step - 1) / step; }
};

struct Pool {                             ///< geometry of a pooling on the local part of a map
    std::int64_t batch = 0, channels = 0; ///< sizes of the map and of the result
    std::int64_t mapRows = 0, mapColumns = 0, windowRows = 0, windowColumns = 0; ///< input, result
    std::int64_t kernelRows = 1, kernelColumns = 1, strideRows = 1, strideColumns = 1;
    std::int64_t padTop = 0, padLeft = 0; ///< padding before the local part

    [[nodiscard]] constexpr std::int64_t elements() const { ///< that a pass accesses
        return batch * channels * (mapRows * mapColumns + 2 * windowRows * windowColumns);
    }
    /// Row-major index of a map element within a window.
    [[nodiscard]] constexpr std::int64_t indexInWindow(std::int64_t windowRow,
                                                       std::int64_t windowColumn, std::int64_t row,
                                                       std::int64_t column) const {
        return (row + padTop - windowRow * strideRows) * kernelColumns + column + padLeft -
               windowColumn * strideColumns;
    }
    [[nodiscard]] constexpr Taps tapsOfRow(std::int64_t window) const { ///< map rows in it
        return indicesInWindow(window, strideRows, padTop, kernelRows, mapRows);
    }
    [[nodiscard]] constexpr Taps tapsOfColumn(std::int64_t window) const { ///< map columns in it
        return indicesInWindow(window, strideColumns, padLeft, kernelColumns, mapColumns);
    }
    [[nodiscard]] constexpr Taps windowsOverRow(std::int64_t row) const { ///< window rows with it
        return windowsOver(row, strideRows, padTop, kernelRows, windowRows);
    }
    [[nodiscard]] constexpr Taps windowsOverColumn(std::int64_t column) const { ///< window columns
        return windowsOver(column, strideColumns, padLeft, kernelColumns, windowColumns);
    }

private:
    [[nodiscard]] static constexpr Taps indicesInWindow(std::int64_t window, std::int64_t stride,
                                                        std::int64_t pad, std::int64_t kernel,
                                                        std::int64_t size) {
        const std::int64_t first = window * stride - pad;
        return {std::max<std::int64_t>(first, 0), std::min(first + kernel, size)};
    }
    [[nodiscard]] static constexpr Taps windowsOver(std::int64_t place, std::int64_t stride,
                                                    std::int64_t pad, std::int64_t kernel,
                                                    std::int64_t windows) {
        // first <= place < first + kernel with first = window * stride - pad
        const std::int64_t reach = place + pad - kernel + 1;
        const std::int64_t first = reach <= 0 ? 0 : (reach + stride - 1) / stride;
        return {first, std::min((place + pad) / stride + 1, windows)};
    }
};

} // namespace weft
