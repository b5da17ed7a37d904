// SPDX-License-Identifier: Apache-2.0
#pragma once
// Makers of products that the library computes (products.h), with our own tile in the same scratch
// for what the library refuses.

#include "backends/cuda/epilogue.h"
#include "backends/cuda/products.h"

#include <string>

namespace weft::cuda {

/// What explain shows: "cublaslt", "cublaslt in TF32", "cublaslt in bf16".
[[nodiscard]] std::string nameOfLibraryProduct(Precision precision);

/// Bytes that a plan of this size may take: enough for its sums in many slices, at most 32 MiB.
[[nodiscard]] std::int64_t productWorkspace(const ProductSize& size);

/// What this machine lacks of the library; see KernelMaker::lacks.
[[nodiscard]] std::string whatProductsLack();

/// How a product in bf16 keeps its result.
enum class ResultKept : std::uint8_t { asHalves, asFloats };

/// The product of the first two operands, with what follows it. In bf16 these are halves, and so is
/// the result where it may be, unless f32 is added to it.
[[nodiscard]] ChoiceOrRefusal libraryProduct(const KernelRequest& request,
                                             const MatrixProduct& product, const ChainForm& chain,
                                             Precision precision,
                                             ResultKept kept = ResultKept::asHalves);

/// Adds makers of linear, with each chain that may follow it, and of both its gradients, alone and
/// as equals.
void addLibraryLinear(KernelList& list, Precision precision,
                      const std::function<std::string()>& lacks);
/// Those of equals alone.
void addLibraryEquals(KernelList& list, Precision precision,
                      const std::function<std::string()>& lacks);

} // namespace weft::cuda
