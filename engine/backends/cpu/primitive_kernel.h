// SPDX-License-Identifier: Apache-2.0
#pragma once
// A kernel that is one primitive: its inputs and its output are those of the request, in order.

#include "backends/cpu/primitive.h"
#include "backends/cpu/request.h"

namespace weft::cpu {

/// The choice, with the formats as given; a refusal with the library's reason.
[[nodiscard]] ChoiceOrRefusal primitiveKernel(const KernelRequest& request,
                                              const PrimitiveOrReason& primitive,
                                              std::vector<Format> inputs,
                                              std::vector<Format> outputs);

} // namespace weft::cpu
