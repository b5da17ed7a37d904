// SPDX-License-Identifier: Apache-2.0
#pragma once
// What one sets of competing neurons: the dictionary, the dynamics, the step, how they learn.

#include <weft/attributes.h>

#include <string>
#include <vector>

namespace weft::layers {

[[nodiscard]] std::vector<AttributeSpec> lcaAttributes();
[[nodiscard]] const char* lcaHelp();

/// What does not go together, in one sentence; empty: nothing.
[[nodiscard]] std::string lcaProblemOf(const Attributes& attributes);
/// The share of the last update that its method keeps.
[[nodiscard]] double momentumOf(const Attributes& attributes);
/// Those of the attributes that the specs name.
[[nodiscard]] Attributes selected(const Attributes& attributes,
                                  const std::vector<AttributeSpec>& specs);

} // namespace weft::layers
