// SPDX-License-Identifier: Apache-2.0
#pragma once
// Tiled products c[s, m, n] = sum_k a[s, m, k] b[s, k, n] in f32 for each set s; a and b are
// matrices or views of convolution operands (convolution.h). Sums have a fixed order. If there are
// fewer tiles than the GPU runs at once, long sums are split (split-k) and the parts are added in
// order.

#include "backends/cuda/kernels/kept.h"
#include "backends/cuda/kernels/stream_handle.h"
#include "backends/cuda/products/convolution.h"

#include <array>
#include <cstdint>

namespace weft::cuda {

struct ProductSize {
    std::int64_t sets = 1, rows = 0, columns = 0, terms = 0; ///< terms: summands per result

    [[nodiscard]] constexpr std::int64_t results() const { return sets * rows * columns; }
};

/// Floats of scratch for a product of this size; 0: sums are not split.
[[nodiscard]] std::int64_t productScratch(const ProductSize& size);

/// Ops fused after a sum: + bias, + addend, max(0, .), each optional.
struct Ending {
    const float* bias = nullptr;   ///< by column; for convolutions by channel
    const float* addend = nullptr; ///< in the result's layout
    bool hasRelu = false;
};

/// Strides of an operand in elements: between sets, between rows of the result (columns for b), and
/// between terms.
struct OperandSteps {
    std::int64_t set = 0, row = 0, term = 0; ///< strides in elements
};
struct MatrixProduct {
    ProductSize size;
    OperandSteps a, b;                         ///< row or term stride is 1
    std::int64_t resultSet = 0, resultRow = 0; ///< strides of the result in elements
};
void launchProduct(const MatrixProduct& product, const float* a, const float* b,
                   const Ending& ending, float* c, float* scratch, StreamHandle stream);

/// The result of a bf16 product and the ops fused after its sums.
struct Bf16ProductResult {
    void* data = nullptr;
    const float* bias = nullptr;  ///< by column
    const void* addend = nullptr; ///< in the result's layout and type
    bool hasRelu = false;
    bool isBf16 = false; ///< true: the result is bf16, else f32
};
void launchBf16Product(const MatrixProduct& product, const Bf16* a, const Bf16* b,
                       const Bf16ProductResult& result, float* scratch, StreamHandle stream);

/// Equal products of one set each, as many as one launch takes.
struct BatchedProducts {
    static constexpr std::size_t most = 16; ///< maximum number of products
    template <class T>
    using Of = std::array<T*, most>;
    Of<const float> a = {}, b = {}, bias = {}, addend = {}; ///< the last two as in Ending
    Of<float> c = {};                                       ///< results
    std::size_t count = 0;                                  ///< number of products
    bool hasRelu = false;
};
/// Gives the same bits as single launches; scratch holds that of all members.
void launchBatched(const MatrixProduct& each, const BatchedProducts& batched, float* scratch,
                   StreamHandle stream);

enum class ConvolutionPass : std::uint8_t { forward, inputGradient, weightGradient };
[[nodiscard]] ProductSize sizeOf(const Convolution& convolution, ConvolutionPass pass);
/// y from x and w; dx from dy and w; dw from x and dy. Positions share their filters. Only y has
/// fused ops.
void launchConvolution(const Convolution& convolution, ConvolutionPass pass, const float* first,
                       const float* second, const Ending& ending, float* result, float* scratch,
                       StreamHandle stream);

} // namespace weft::cuda
