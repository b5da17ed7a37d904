// SPDX-License-Identifier: Apache-2.0
#pragma once
// Matrix products by a library. Implemented twice, like seam.h and plans.h: by cuBLASLt
// (cublaslt_products.cpp) and by a fake for tests (tests/support/sim). A plan uses one
// deterministic algorithm without atomics; running it allocates nothing, so it can be captured in a
// CUDA graph.

#include "backends/cuda/products/product.h"
#include "device/kernel.h"

#include <tl/expected.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace weft::cuda {

/// Ops that the library fuses after a sum, in this order: + bias by column, + addend, max(0, .).
struct ProductEnding {
    bool hasBias = false, hasAddend = false, hasRelu = false;

    bool operator==(const ProductEnding&) const = default;
};

/// The requested product. In bf16 both operands are bf16 (kept.h).
struct LibraryProduct {
    MatrixProduct of; ///< sizes and strides
    ProductEnding ending = {};
    Precision precision = Precision::exact;
    bool makesBf16 = false; ///< in bf16: result, bias and addend are bf16 too
};

/// Addresses of one call, all aligned to `productAlignment`. The addend has the result's layout and
/// may alias it.
struct ProductOperands {
    const void* a = nullptr;
    const void* b = nullptr;
    const void* bias = nullptr;
    const void* addend = nullptr;
    void* result = nullptr;
    /// Strides in elements between sets, if there are several; the addend uses the result's.
    std::int64_t stepOfA = 0, stepOfB = 0, stepOfBias = 0, stepOfResult = 0;
};
constexpr std::uintptr_t productAlignment = 16;

class ProductPlan {
public:
    virtual ~ProductPlan() = default;
    /// Name of the algorithm and all its settings by the library's numbers; it identifies the
    /// algorithm for one library version and GPU.
    [[nodiscard]] virtual const std::string& algorithm() const = 0;
    [[nodiscard]] virtual std::int64_t workspace() const = 0; ///< in bytes
    /// One caller at a time. `workspace` is aligned to 256 bytes.
    virtual void run(const ProductOperands& operands, void* workspace, StreamHandle stream) = 0;
};

namespace products {

/// False: this build has no such library, and there are no plans.
[[nodiscard]] bool isLibraryBuiltIn(); ///< false: there are no plans

/// Version of the library, or `why` it cannot be used.
struct Library {
    std::string version = {};
    std::string why = {}; ///< why it cannot be used; empty: it can
};
[[nodiscard]] Library library(); ///< its version, or why it cannot be used

/// Returns the plan that the library expects to be fastest within that many bytes of workspace, for
/// the thread's current GPU; or why there is none.
[[nodiscard]] tl::expected<std::unique_ptr<ProductPlan>, std::string>
make(const LibraryProduct& product, std::int64_t workspace);

} // namespace products

} // namespace weft::cuda
