// SPDX-License-Identifier: Apache-2.0
#pragma once
// What makers of products and convolutions share: how the chain that ends one is handed to its
// kernel.

#include "backends/cuda/product.h"
#include "backends/cuda/request.h"
#include "device/epilogue.h"

namespace weft::cuda {

/// The operands of this call.
[[nodiscard]] Ending endingOf(const Epilogue& epilogue, const KernelArguments& arguments);

/// The product of the first two operands, with what follows it; all plain.
[[nodiscard]] ChoiceOrRefusal productOf(const KernelRequest& request, const MatrixProduct& product,
                                        const ChainForm& chain = {});

/// run(at, scratch), all plain, with room for so many floats; refuses more than it may have.
[[nodiscard]] ChoiceOrRefusal
withScratch(const KernelRequest& request, std::int64_t floats,
            std::function<void(const KernelArguments&, float* scratch)> run);

} // namespace weft::cuda
