// SPDX-License-Identifier: Apache-2.0
#pragma once
// What makers of one product and of equal products by the library share.

#include "backends/cuda/library_product.h"

#include <algorithm>
#include <cstdint>

namespace weft::cuda {

/// Where a workspace, or an operand in scratch, begins.
constexpr std::int64_t scratchStep = 256;

[[nodiscard]] constexpr std::int64_t inScratchSteps(std::int64_t bytes) {
    return (bytes + scratchStep - 1) / scratchStep * scratchStep;
}

/// What a maker is asked for.
struct AskedProduct {
    MatrixProduct of;
    Epilogue epilogue;
    Precision precision = Precision::exact;
    bool makesHalves = false;

    [[nodiscard]] bool isHalved() const { return precision == Precision::bf16; }
    /// The library adds a bias only in the type of the result.
    [[nodiscard]] bool roundsBias() const { return makesHalves && epilogue.bias.has_value(); }
    /// Of one bias that is rounded.
    [[nodiscard]] std::int64_t bytesOfBias() const {
        const std::int64_t bytes = of.size.columns * static_cast<std::int64_t>(sizeof(Half));
        return roundsBias() ? inScratchSteps(bytes) : 0;
    }
    [[nodiscard]] ProductEnding ending() const {
        return {.hasBias = epilogue.bias.has_value(),
                .hasAddend = epilogue.addend.has_value(),
                .hasRelu = epilogue.hasRelu};
    }
    [[nodiscard]] LibraryProduct asLibraryProduct(const ProductEnding& with) const {
        return {of, with, precision, makesHalves};
    }
};

/// What a request, or a member of one of equals, asks for.
[[nodiscard]] tl::expected<AskedProduct, Refusal> askedOf(const KernelRequest& request,
                                                          const MatrixProduct& product,
                                                          const ChainForm& chain,
                                                          Precision precision, ResultKept kept);

[[nodiscard]] bool isAlignedForProduct(const ProductOperands& operands);

/// Rounds a bias to halves.
void launchRoundedBias(const AskedProduct& asked, const float* bias, Half* rounded,
                       StreamHandle stream);

/// Scratch of a product: the workspace of the library, biases that are rounded behind it; or what
/// our own tile takes. `own` and `ofBiases` are bytes. None: there is not so much.
struct ProductScratch {
    std::int64_t workspace = 0, all = 0;
};
[[nodiscard]] std::optional<ProductScratch> scratchFor(const KernelRequest& request,
                                                       const ProductSize& size, std::int64_t own,
                                                       std::int64_t ofBiases);

} // namespace weft::cuda
