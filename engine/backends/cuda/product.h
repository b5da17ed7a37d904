// SPDX-License-Identifier: Apache-2.0
#pragma once
// c[s, m, n] = sum_k a[s, m, k] b[s, k, n] in f32, for each set s, in tiles: a and b are matrices,
// or what a convolution multiplies (convolution.h). A sum has one order, whatever runs where. Where
// tiles are fewer than a chip runs at once, long sums are cut into slices, whose sums are added up
// in their order.

#include "backends/cuda/convolution.h"
#include "backends/cuda/kept.h"
#include "backends/cuda/stream_handle.h"

#include <array>
#include <cstdint>

namespace weft::cuda {

struct ProductSize {
    std::int64_t sets = 1, rows = 0, columns = 0, terms = 0;

    [[nodiscard]] constexpr std::int64_t results() const { return sets * rows * columns; }
};

/// Floats of scratch that a product of this size takes; 0: its sums are not cut.
[[nodiscard]] std::int64_t productScratch(const ProductSize& size);

/// What becomes of a sum: + bias, + addend, max(0, .), each or none.
struct Ending {
    const float* bias = nullptr;   ///< by column; of convolutions by channel
    const float* addend = nullptr; ///< lies as the result does
    bool hasRelu = false;
};

/// Where the elements of an operand lie: in elements from set to set, from row of the result (of b:
/// from column) to the next, and from term to term.
struct OperandSteps {
    std::int64_t set = 0, row = 0, term = 0;
};
struct MatrixProduct {
    ProductSize size;
    OperandSteps a, b; ///< one of row and term is 1
    std::int64_t resultSet = 0, resultRow = 0;
};
void launchProduct(const MatrixProduct& product, const float* a, const float* b,
                   const Ending& ending, float* c, float* scratch, StreamHandle stream);

/// Where a product of halves goes, and what becomes of its sums.
struct HalvedResult {
    void* data = nullptr;
    const float* bias = nullptr;  ///< by column
    const void* addend = nullptr; ///< lies, and is kept, as the result
    bool hasRelu = false;
    bool isHalved = false; ///< the result is kept as halves; else as f32
};
void launchHalvedProduct(const MatrixProduct& product, const Half* a, const Half* b,
                         const HalvedResult& result, float* scratch, StreamHandle stream);

/// Equal products, each of one set, as many as one launch takes.
struct BatchedProducts {
    static constexpr std::size_t most = 16;
    template <class T>
    using Of = std::array<T*, most>;
    Of<const float> a = {}, b = {}, bias = {}, addend = {}; ///< the last two as in an Ending
    Of<float> c = {};
    std::size_t count = 0;
    bool hasRelu = false;
};
/// To the same bits as one by one; of scratch each has what it takes alone.
void launchBatched(const MatrixProduct& each, const BatchedProducts& batched, float* scratch,
                   StreamHandle stream);

enum class ConvolutionPass : std::uint8_t { forward, inputGradient, weightGradient };
[[nodiscard]] ProductSize sizeOf(const Convolution& convolution, ConvolutionPass pass);
/// y of x and w; dx of dy and w; dw of x and dy. Positions share their filters. Only y has an
/// ending.
void launchConvolution(const Convolution& convolution, ConvolutionPass pass, const float* first,
                       const float* second, const Ending& ending, float* result, float* scratch,
                       StreamHandle stream);

} // namespace weft::cuda
