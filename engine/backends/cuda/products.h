// SPDX-License-Identifier: Apache-2.0
#pragma once
// Products of matrices by a library that knows these chips better than we do. Written twice, as
// seam.h and plans.h are: by cuBLASLt (cublaslt_products.cpp), and by a stand-in
// (tests/support/sim). A plan takes one algorithm, without atomics, and gives the same bits each
// time; running it allocates nothing, so that a CUDA graph can capture it.

#include "backends/cuda/product.h"
#include "device/kernel.h"

#include <tl/expected.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace weft::cuda {

/// What the library does with a sum, in this order: + bias by column, + addend, max(0, .).
struct ProductEnding {
    bool hasBias = false, hasAddend = false, hasRelu = false;

    bool operator==(const ProductEnding&) const = default;
};

/// What the library is asked for. In bf16 both operands are halves (kept.h).
struct LibraryProduct {
    MatrixProduct of;
    ProductEnding ending = {};
    Precision precision = Precision::exact;
    bool makesHalves = false; ///< in bf16: the result, the bias and the addend are halves too
};

/// Addresses of one call, all on multiples of `productAlignment`. The addend lies as the result
/// does and may share its memory.
struct ProductOperands {
    const void* a = nullptr;
    const void* b = nullptr;
    const void* bias = nullptr;
    const void* addend = nullptr;
    void* result = nullptr;
    /// Elements from one set to the next, where the product has several; of the addend as of the
    /// result.
    std::int64_t stepOfA = 0, stepOfB = 0, stepOfBias = 0, stepOfResult = 0;
};
constexpr std::uintptr_t productAlignment = 16;

class ProductPlan {
public:
    virtual ~ProductPlan() = default;
    /// The algorithm with all that can be set of it, by the library's own numbers: by one version
    /// of the library, on one chip, the same name is the same way.
    [[nodiscard]] virtual const std::string& algorithm() const = 0;
    [[nodiscard]] virtual std::int64_t workspace() const = 0; ///< in bytes
    /// One caller at a time. `workspace` begins on a multiple of 256.
    virtual void run(const ProductOperands& operands, void* workspace, StreamHandle stream) = 0;
};

namespace products {

/// False: this build knows no such library; it makes no plan.
[[nodiscard]] bool areBuiltIn();

/// Version of the library, or `why` it cannot be used.
struct Library {
    std::string version = {};
    std::string why = {};
};
[[nodiscard]] Library library();

/// The plan that the library expects to be the fastest within so many bytes of workspace, for the
/// chip that this thread uses; or why there is none.
[[nodiscard]] tl::expected<std::unique_ptr<ProductPlan>, std::string>
make(const LibraryProduct& product, std::int64_t workspace);

} // namespace products

} // namespace weft::cuda
