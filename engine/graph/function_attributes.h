// SPDX-License-Identifier: Apache-2.0
#pragma once
// The numbers of elementwise functions (functions/row.h) as attributes of ops and layers.

#include "functions/row.h"
#include <weft/attributes.h>

#include <array>
#include <vector>

namespace weft {

[[nodiscard]] std::vector<AttributeSpec> attributesOf(const functions::Info& info);

/// Returns the values of these attributes; 0 for a number that the function does not take.
[[nodiscard]] std::array<double, 2> numbersOf(const functions::Info& info,
                                              const Attributes& attributes);

/// Returns the attributes of a test sample.
[[nodiscard]] Attributes sampleAttributesOf(const functions::Info& info);

} // namespace weft
