// SPDX-License-Identifier: Apache-2.0
#pragma once
// Views of convolution operands and results as matrices for product.cu: `of` returns the view of
// one group of channels of one set.

#include "backends/cuda/products/convolution.h"
#include "backends/cuda/products/matrix_views.h"

namespace weft::cuda {

/// The set and group of a view: the first batch element that uses the set.
struct GroupOfSet {
    std::int64_t element = 0; ///< index in the batch
    std::int32_t group = 0;   ///< group of channels
};

[[nodiscard]] __device__ inline GroupOfSet groupOfSet(const Convolution& c, std::int64_t set) {
    const std::int64_t element = quotient(set, c.groups);
    return {element, static_cast<std::int32_t>(set - element * c.groups)};
}

/// One position of all batch elements of a set, ordered by element.
struct BatchPosition {
    std::int64_t element;  ///< index in the batch
    std::int32_t position; ///< row-major index in the map
};
[[nodiscard]] __device__ inline BatchPosition
batchPositionOf(const GroupOfSet& at, std::int64_t index, std::int32_t positions) {
    const std::int64_t element = quotient(index, positions);
    return {at.element + element, static_cast<std::int32_t>(index - element * positions)};
}

/// A filter tap: channel within the group, and row and column offset.
struct Tap {
    std::int32_t channel, row, column;
};
/// Returns the tap of a filter at an index in its layout, plain or channels-last.
[[nodiscard]] __device__ inline Tap tapOf(const Convolution& c, std::int64_t index,
                                          bool isLast = false) {
    const auto k = static_cast<std::uint32_t>(index);
    const auto inner = static_cast<std::uint32_t>(isLast ? c.inputs : c.taps());
    const std::uint32_t outer = k / inner;
    const std::uint32_t rest = k - outer * inner;
    const std::uint32_t channel = isLast ? rest : outer;
    const std::uint32_t tap = isLast ? outer : rest;
    const std::uint32_t row = tap / static_cast<std::uint32_t>(c.kernelColumns);
    const std::uint32_t column = tap - row * static_cast<std::uint32_t>(c.kernelColumns);
    return {static_cast<std::int32_t>(channel), static_cast<std::int32_t>(row) * c.dilationRows,
            static_cast<std::int32_t>(column) * c.dilationColumns};
}

[[nodiscard]] __device__ inline float numberAt(const float* place) {
    return place == nullptr ? 0 : *place;
}

/// A window over x: start of the group's channels in its picture, and its first row and column.
struct WindowOrigin {
    const float* picture; ///< first channel of the group
    std::int32_t row, column;
};

/// The matrix of patches of x, [windows, taps].
struct Patches {
    Convolution c;
    const float* x;
    MapSteps steps;
    GroupOfSet at = {};

    [[nodiscard]] __device__ WindowOrigin windowOf(std::int64_t index) const {
        const BatchPosition place = batchPositionOf(at, index, c.positions());
        const std::int32_t row = place.position / c.windowColumns;
        const std::int32_t column = place.position - row * c.windowColumns;
        return {x + place.element * c.groups * c.inputs * c.plane() +
                    static_cast<std::int64_t>(at.group) * c.inputs * steps.channel,
                row * c.strideRows - c.top, column * c.strideColumns - c.left};
    }
    /// nullptr outside the map.
    [[nodiscard]] __device__ const float* addressOfTap(const WindowOrigin& window,
                                                       const Tap& tap) const {
        const std::int32_t row = window.row + tap.row;
        const std::int32_t column = window.column + tap.column;
        const bool isInside = row >= 0 && row < c.rows && column >= 0 && column < c.columns;
        return isInside ? window.picture + static_cast<std::int64_t>(tap.channel) * steps.channel +
                              static_cast<std::int64_t>(row * c.columns + column) * steps.place
                        : nullptr;
    }
    [[nodiscard]] __device__ float number(const WindowOrigin& window, const Tap& tap) const {
        return numberAt(addressOfTap(window, tap));
    }
    [[nodiscard]] __device__ const float* anyAddress() const { return x; }
};

/// Columns are windows, terms are taps.
struct PatchesByWindow : Patches {
    static constexpr bool isAlongTerms = false;
    using Row = WindowOrigin;
    using Term = Tap;
    [[nodiscard]] __device__ PatchesByWindow of(std::int64_t set) const {
        return {{c, x, steps, groupOfSet(c, set)}};
    }
    [[nodiscard]] __device__ Row rowOf(std::int64_t index) const { return windowOf(index); }
    [[nodiscard]] __device__ Term termOf(std::int64_t index) const {
        return tapOf(c, index, c.isWLast);
    }
    [[nodiscard]] __device__ const float* addressOf(const Row& row, const Term& term) const {
        return addressOfTap(row, term);
    }
    [[nodiscard]] __device__ float load(const Row& row, const Term& term) const {
        return numberAt(addressOf(row, term));
    }
};

/// Columns are taps, terms are windows.
struct PatchesByTap : Patches {
    static constexpr bool isAlongTerms = true;
    using Row = Tap;
    using Term = WindowOrigin;
    [[nodiscard]] __device__ PatchesByTap of(std::int64_t set) const {
        return {{c, x, steps, groupOfSet(c, set)}};
    }
    [[nodiscard]] __device__ Row rowOf(std::int64_t index) const {
        return tapOf(c, index, c.isWLast);
    }
    [[nodiscard]] __device__ Term termOf(std::int64_t index) const { return windowOf(index); }
    [[nodiscard]] __device__ const float* addressOf(const Row& row, const Term& term) const {
        return addressOfTap(term, row);
    }
    [[nodiscard]] __device__ float load(const Row& row, const Term& term) const {
        return numberAt(addressOf(row, term));
    }
};

/// dy [outputs, windows]: rows are channels, terms are windows.
struct CodesByWindow {
    static constexpr bool isAlongTerms = true;
    using Row = std::int64_t;
    using Term = std::int64_t;
    Convolution c;
    const float* dy;
    MapSteps steps;
    GroupOfSet at = {};
    [[nodiscard]] __device__ CodesByWindow of(std::int64_t set) const {
        return {c, dy, steps, groupOfSet(c, set)};
    }
    [[nodiscard]] __device__ Row rowOf(std::int64_t index) const { return index * steps.channel; }
    [[nodiscard]] __device__ Term termOf(std::int64_t index) const {
        const BatchPosition place = batchPositionOf(at, index, c.positions());
        return place.element * c.groups * c.outputs * c.positions() +
               static_cast<std::int64_t>(at.group) * c.outputs * steps.channel +
               static_cast<std::int64_t>(place.position) * steps.place;
    }
    [[nodiscard]] __device__ const float* addressOf(Row row, Term term) const {
        return dy + row + term;
    }
    [[nodiscard]] __device__ float load(Row row, Term term) const { return dy[row + term]; }
    [[nodiscard]] __device__ const float* anyAddress() const { return dy; }
};

/// Filters [inputs, (outputs, taps)]: rows are channels of x, terms are outputs and taps. Both are
/// offsets in w.
struct FiltersByInput {
    static constexpr bool isAlongTerms = true;
    using Row = std::int64_t;
    using Term = std::int64_t;
    Convolution c;
    const float* w;
    MapSteps steps;
    [[nodiscard]] __device__ FiltersByInput of(std::int64_t set) const {
        return {c, w + set * c.outputs * c.filter(), steps};
    }
    [[nodiscard]] __device__ Row rowOf(std::int64_t index) const { return index * steps.channel; }
    [[nodiscard]] __device__ Term termOf(std::int64_t index) const {
        const std::int64_t output = quotient(index, c.taps());
        return output * c.filter() + (index - output * c.taps()) * steps.place;
    }
    [[nodiscard]] __device__ const float* addressOf(Row row, Term term) const {
        return w + row + term;
    }
    [[nodiscard]] __device__ float load(Row row, Term term) const { return w[row + term]; }
    [[nodiscard]] __device__ const float* anyAddress() const { return w; }
};

/// Returns the window at that distance before a row of x, or -1 if there is none.
[[nodiscard]] __device__ inline std::int32_t windowAt(std::int32_t distance, std::int32_t stride,
                                                      std::int32_t windows) {
    if (distance < 0) {
        return -1;
    }
    const std::int32_t window = stride == 1 ? distance : distance / stride;
    return window < windows && window * stride == distance ? window : -1;
}

/// dy for the gradient of x: columns are elements of x, terms are outputs and taps.
struct CodesByElement {
    static constexpr bool isAlongTerms = false;
    using Row = WindowOrigin; ///< element of x: its picture of dy, padded row and column
    using Term = Tap;
    Convolution c;
    const float* dy;
    MapSteps steps;
    GroupOfSet at = {};
    [[nodiscard]] __device__ CodesByElement of(std::int64_t set) const {
        return {c, dy, steps, groupOfSet(c, set)};
    }
    [[nodiscard]] __device__ Row rowOf(std::int64_t index) const {
        const BatchPosition place = batchPositionOf(at, index, c.plane());
        const std::int32_t row = place.position / c.columns;
        const std::int32_t column = place.position - row * c.columns;
        return {dy + place.element * c.groups * c.outputs * c.positions() +
                    static_cast<std::int64_t>(at.group) * c.outputs * steps.channel,
                row + c.top, column + c.left};
    }
    [[nodiscard]] __device__ Term termOf(std::int64_t index) const { return tapOf(c, index); }
    [[nodiscard]] __device__ const float* addressOf(const Row& element, const Term& tap) const {
        const std::int32_t row = windowAt(element.row - tap.row, c.strideRows, c.windowRows);
        const std::int32_t column =
            windowAt(element.column - tap.column, c.strideColumns, c.windowColumns);
        return row < 0 || column < 0
                   ? nullptr
                   : element.picture + static_cast<std::int64_t>(tap.channel) * steps.channel +
                         static_cast<std::int64_t>(row * c.windowColumns + column) * steps.place;
    }
    [[nodiscard]] __device__ float load(const Row& element, const Term& tap) const {
        return numberAt(addressOf(element, tap));
    }
    [[nodiscard]] __device__ const float* anyAddress() const { return dy; }
};

/// y or dx [(groups channels), positions of the plane].
struct MapResult {
    Convolution c;
    float* y;
    std::int32_t channels, plane; ///< per group; positions per channel
    MapSteps steps;
    Ending ending;
    GroupOfSet at = {};
    [[nodiscard]] __device__ MapResult of(std::int64_t set) const {
        return {c, y, channels, plane, steps, ending, groupOfSet(c, set)};
    }
    __device__ void write(std::int64_t channel, std::int64_t index, float sum) const {
        const BatchPosition place = batchPositionOf(at, index, plane);
        const std::int64_t ofAll = static_cast<std::int64_t>(at.group) * channels + channel;
        const std::int64_t to = place.element * c.groups * channels * plane +
                                ofAll * steps.channel +
                                static_cast<std::int64_t>(place.position) * steps.place;
        y[to] = finished(ending, sum, ofAll, to);
    }
};

} // namespace weft::cuda
