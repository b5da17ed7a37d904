// SPDX-License-Identifier: Apache-2.0
#pragma once
// Shared by makers of products and convolutions: passes a fused chain to the kernel.

#include "backends/cuda/products/product.h"
#include "backends/cuda/request.h"
#include "device/epilogue.h"

namespace weft::cuda {

/// Returns the fused chain with the operands of this call.
[[nodiscard]] Ending endingOf(const Epilogue& epilogue, const KernelArguments& arguments);

/// Multiplies the first two operands and applies the fused chain; all formats are plain.
[[nodiscard]] ChoiceOrRefusal productOf(const KernelRequest& request, const MatrixProduct& product,
                                        const ChainForm& chain = {});

/// Makes a choice of run(at, scratch) with that many floats of scratch and plain formats. Refuses
/// if the scratch exceeds the limit.
[[nodiscard]] ChoiceOrRefusal
withScratch(const KernelRequest& request, std::int64_t floats,
            std::function<void(const KernelArguments&, float* scratch)> run);

} // namespace weft::cuda
