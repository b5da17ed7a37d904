// SPDX-License-Identifier: Apache-2.0
#pragma once
// Makers of products by the library (products.h); Weft's own kernel, with the same scratch,
// computes what the library refuses.

#include "backends/cuda/cublaslt/products.h"
#include "backends/cuda/products/epilogue.h"

#include <string>

namespace weft::cuda {

/// Shown by explain: "cublaslt", "cublaslt in TF32", "cublaslt in bf16".
[[nodiscard]] std::string libraryProductName(Precision precision);

/// Workspace limit in bytes of a plan of this size: enough for split-k sums, at most 32 MiB.
[[nodiscard]] std::int64_t productWorkspaceLimit(const ProductSize& size);

/// Returns what this machine lacks of the library; see KernelMaker::lacks.
[[nodiscard]] std::string missingForProducts();

/// The type of the result of a bf16 product.
enum class ResultType : std::uint8_t { asBf16, asFloats };

/// Multiplies the first two operands and applies the fused chain. In bf16, operands are bf16, and
/// so is the result if possible, unless an f32 value is added.
[[nodiscard]] ChoiceOrRefusal libraryProduct(const KernelRequest& request,
                                             const MatrixProduct& product, const ChainForm& chain,
                                             Precision precision,
                                             ResultType kept = ResultType::asBf16);

/// Adds makers of linear, with each chain that may follow, and of both gradients, for single ops
/// and groups of equal ops.
void addLibraryLinear(KernelList& list, Precision precision,
                      const std::function<std::string()>& lacks);
/// Adds only the makers for groups of equal ops.
void addLibraryBatched(KernelList& list, Precision precision,
                       const std::function<std::string()>& lacks);

} // namespace weft::cuda
