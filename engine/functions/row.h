// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a row of the table of elementwise functions declares (functions/table.h). The host compiler
// and nvcc read it, so it includes the standard library only.
//
// A row is a struct with its description `info` and two templates: `value<M>(x, numbers...)`, and
// `gradient<M>(read, dy, numbers...)`, where `read` is x or y as info.reads says; the other values
// of info.reads need no gradient. M supplies exp, log, erf, tanh and others as each backend
// computes them. A row whose gradient jumps also has `piece(read, numbers...)`, in ascending order
// (PiecewiseGradient in graph/op.h).

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

// Functions of a row are inlined into loops that are compiled for wider registers, or into kernels.
#if defined(__CUDACC__)
#define WEFT_FUNCTION static __host__ __device__ __forceinline__
#else
#define WEFT_FUNCTION [[gnu::always_inline]] static inline
#endif

namespace weft::functions {

/// What a gradient reads besides dy.
enum class Reads : std::uint8_t {
    nothing, ///< the function is linear: it is its own gradient
    x,
    y,
    onlyDy, ///< the gradient is dy
    none    ///< there is no gradient
};

/// A number that the function takes besides x: an attribute of its op and its layer.
struct Number {
    static constexpr double none = std::numeric_limits<double>::infinity(); ///< no bound

    std::string_view name = {};
    double defaultValue = 0;
    std::string_view help = {};
    double sample = 0;    ///< value in the tests
    double least = -none; ///< inclusive lower bound
    double above = -none; ///< exclusive lower bound
};

struct Info {
    std::string_view name;                    ///< names op and layer
    std::string_view title;                   ///< title of the layer; empty: the op has no layer
    std::string_view onnx = {};               ///< name of the ONNX operator; empty: none
    std::string_view category = "activation"; ///< category of the layer
    std::string_view help = {};
    std::array<std::string_view, 4> synonyms = {}; ///< up to the first empty one
    std::array<Number, 2> numbers = {};            ///< up to the first without a name
    Reads reads = Reads::x;                        ///< what the gradient reads besides dy
    std::int64_t flops = 1;                        ///< operations per element, a rough count
    std::int64_t gradientFlops = 1;                ///< the same for the gradient
    bool hasBilinearGradient = false;  ///< linear in `read` as it is in dy: a product of both
    bool samplesArePositive = false;   ///< the tests draw x from (0.1, 2): for logarithms and roots
    bool samplesAreConditions = false; ///< the tests draw x from {0, 1}
    double sampleScale = 1; ///< factor on the x that the tests draw, so that it meets all pieces

    /// True if the gradient is an op of its own.
    [[nodiscard]] constexpr bool hasGradientOp() const {
        return reads == Reads::x || reads == Reads::y;
    }

    /// Returns how many numbers the function takes.
    [[nodiscard]] constexpr std::size_t count() const {
        std::size_t count = 0;
        while (count < numbers.size() && !numbers[count].name.empty()) {
            ++count;
        }
        return count;
    }
};

/// The function of a row; it ignores numbers that it does not take.
template <class Row, class M, class T>
WEFT_FUNCTION T valueOf(T x, T first, T second) {
    if constexpr (Row::info.count() == 0) {
        return Row::template value<M>(x);
    } else if constexpr (Row::info.count() == 1) {
        return Row::template value<M>(x, first);
    } else {
        return Row::template value<M>(x, first, second);
    }
}
/// The gradient of a row for that x or y.
template <class Row, class M, class T>
WEFT_FUNCTION T gradientOf(T read, T dy, T first, T second) {
    if constexpr (Row::info.count() == 0) {
        return Row::template gradient<M>(read, dy);
    } else if constexpr (Row::info.count() == 1) {
        return Row::template gradient<M>(read, dy, first);
    } else {
        return Row::template gradient<M>(read, dy, first, second);
    }
}

} // namespace weft::functions
