// SPDX-License-Identifier: Apache-2.0
#pragma once
// Shared by the makers of single and batched library products.

#include "backends/cuda/cublaslt/library_product.h"

#include <algorithm>
#include <cstdint>

namespace weft::cuda {

/// Alignment of a workspace or of an operand in scratch, in bytes.
constexpr std::int64_t scratchStep = 256;

[[nodiscard]] constexpr std::int64_t inScratchSteps(std::int64_t bytes) {
    return (bytes + scratchStep - 1) / scratchStep * scratchStep;
}

/// The product that a maker is asked for.
struct RequestedProduct {
    MatrixProduct of; ///< sizes and strides
    Epilogue epilogue;
    Precision precision = Precision::exact;
    bool makesBf16 = false; ///< the result is stored as bf16

    [[nodiscard]] bool isBf16() const { return precision == Precision::bf16; }
    /// True if the bias must be rounded: the library only adds a bias of the result's type.
    [[nodiscard]] bool roundsBias() const { return makesBf16 && epilogue.bias.has_value(); }
    /// Bytes of one rounded bias.
    [[nodiscard]] std::int64_t bytesOfBias() const {
        const std::int64_t bytes = of.size.columns * static_cast<std::int64_t>(sizeof(Bf16));
        return roundsBias() ? inScratchSteps(bytes) : 0;
    }
    [[nodiscard]] ProductEnding ending() const {
        return {.hasBias = epilogue.bias.has_value(),
                .hasAddend = epilogue.addend.has_value(),
                .hasRelu = epilogue.hasRelu};
    }
    [[nodiscard]] LibraryProduct asLibraryProduct(const ProductEnding& with) const {
        return {of, with, precision, makesBf16};
    }
};

/// Returns the product of a request or of one member of a group of equal products.
[[nodiscard]] tl::expected<RequestedProduct, Refusal>
requestedProductOf(const KernelRequest& request, const MatrixProduct& product,
                   const ChainForm& chain, Precision precision, ResultType kept);

[[nodiscard]] bool isAlignedForProduct(const ProductOperands& operands);

/// Rounds a bias to bf16.
void launchRoundedBias(const RequestedProduct& asked, const float* bias, Bf16* rounded,
                       StreamHandle stream);

/// Scratch of a product: the library's workspace followed by rounded biases, or the scratch of
/// Weft's own kernel. `own` and `ofBiases` are bytes. Returns nothing if the limit is too small.
struct ProductScratch {
    std::int64_t workspace = 0, all = 0; ///< bytes: the library's share, and the total
};
[[nodiscard]] std::optional<ProductScratch> scratchFor(const KernelRequest& request,
                                                       const ProductSize& size, std::int64_t own,
                                                       std::int64_t ofBiases);

} // namespace weft::cuda
