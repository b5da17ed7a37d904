// SPDX-License-Identifier: Apache-2.0
#pragma once
// Views of matrices as operands and results of product.cu: `of` returns the view of one set. A row
// of an operand is a row of the result or, for the right operand, a column. A term is one summand
// of an element of the result. `rowOf` and `termOf` return where the row or term of that index
// lies: an offset in elements or, for convolutions, a window or a filter tap. `addressOf` is an
// element's address, or nullptr for an element that is zero and not stored.

#include "backends/cuda/kernels/bf16_numbers.h"
#include "backends/cuda/kernels/launch.h"
#include "backends/cuda/products/product.h"

namespace weft::cuda {

/// Contiguous along terms or along rows, so that neighbouring threads read neighbouring elements.
template <bool alongTerms>
struct Matrix {
    static constexpr bool isAlongTerms = alongTerms;
    using Row = std::int64_t;
    using Term = std::int64_t;
    const float* data;
    OperandSteps steps;
    [[nodiscard]] __device__ Matrix of(std::int64_t set) const {
        return {data + set * steps.set, steps};
    }
    [[nodiscard]] __device__ Row rowOf(std::int64_t index) const { return index * steps.row; }
    [[nodiscard]] __device__ Term termOf(std::int64_t index) const { return index * steps.term; }
    [[nodiscard]] __device__ const float* addressOf(Row row, Term term) const {
        return data + row + term;
    }
    [[nodiscard]] __device__ float load(Row row, Term term) const { return data[row + term]; }
    [[nodiscard]] __device__ const float* anyAddress() const { return data; }
};

/// Applies the fused ops to the sum for element `at` of the result.
[[nodiscard]] __device__ inline float finished(const Ending& ending, float sum, std::int64_t bias,
                                               std::int64_t at) {
    const float biased = ending.bias == nullptr ? sum : sum + ending.bias[bias];
    const float y = ending.addend == nullptr ? biased : biased + ending.addend[at];
    return ending.hasRelu && y < 0 ? 0 : y; // NaN stays NaN
}

/// A bf16 matrix.
template <bool alongTerms>
struct Bf16Matrix {
    static constexpr bool isAlongTerms = alongTerms;
    using Row = std::int64_t;
    using Term = std::int64_t;
    const Bf16* data;
    OperandSteps steps;
    [[nodiscard]] __device__ Bf16Matrix of(std::int64_t set) const {
        return {data + set * steps.set, steps};
    }
    [[nodiscard]] __device__ Row rowOf(std::int64_t index) const { return index * steps.row; }
    [[nodiscard]] __device__ Term termOf(std::int64_t index) const { return index * steps.term; }
    [[nodiscard]] __device__ float load(Row row, Term term) const {
        return toF32(data[row + term]);
    }
};

/// View of batched products: one set is one of the matrices.
template <bool alongTerms>
struct BatchedMatrix {
    static constexpr bool isAlongTerms = alongTerms;
    BatchedProducts::Of<const float> data;
    OperandSteps steps;
    [[nodiscard]] __device__ Matrix<alongTerms> of(std::int64_t set) const {
        return {data[static_cast<std::size_t>(set)], steps};
    }
};

struct MatrixResult {
    float* data;
    std::int64_t set, row;
    Ending ending;
    std::int64_t begin = 0; ///< offset of this set
    [[nodiscard]] __device__ MatrixResult of(std::int64_t index) const {
        return {data, set, row, ending, index * set};
    }
    __device__ void write(std::int64_t m, std::int64_t n, float sum) const {
        const std::int64_t at = begin + m * row + n;
        data[at] = finished(ending, sum, n, at);
    }
};

/// The result of a bf16 product.
struct Bf16Result {
    Bf16ProductResult to; ///< addresses and fused ops
    std::int64_t set, row;
    std::int64_t begin = 0; ///< offset of this set
    [[nodiscard]] __device__ Bf16Result of(std::int64_t index) const {
        return {to, set, row, index * set};
    }
    template <class Kept>
    __device__ void writeKept(std::int64_t at, float biased) const {
        const auto* const addend = static_cast<const Kept*>(to.addend);
        const float y = addend == nullptr ? biased : biased + toF32(addend[at]);
        static_cast<Kept*>(to.data)[at] = kept<Kept>(to.hasRelu && y < 0 ? 0 : y);
    }
    __device__ void write(std::int64_t m, std::int64_t n, float sum) const {
        const std::int64_t at = begin + m * row + n;
        const float biased = to.bias == nullptr ? sum : sum + to.bias[n];
        if (to.isBf16) {
            writeKept<Bf16>(at, biased);
        } else {
            writeKept<float>(at, biased);
        }
    }
};

struct BatchedResult {
    BatchedProducts::Of<float> data;
    BatchedProducts::Of<const float> biases, addends;
    std::int64_t row;
    bool hasRelu;
    [[nodiscard]] __device__ MatrixResult of(std::int64_t set) const {
        const auto one = static_cast<std::size_t>(set);
        return {data[one], 0, row, {biases[one], addends[one], hasRelu}};
    }
};

} // namespace weft::cuda
