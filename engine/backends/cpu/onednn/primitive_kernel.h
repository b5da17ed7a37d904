// SPDX-License-Identifier: Apache-2.0
#pragma once
// A kernel of one primitive, with the inputs and output of the request in order.

#include "backends/cpu/onednn/primitive.h"
#include "backends/cpu/request.h"

namespace weft::cpu {

/// Returns the choice with these formats, or a refusal with the library's reason.
[[nodiscard]] ChoiceOrRefusal primitiveKernel(const KernelRequest& request,
                                              const PrimitiveOrReason& primitive,
                                              std::vector<Format> inputs,
                                              std::vector<Format> outputs);

} // namespace weft::cpu
