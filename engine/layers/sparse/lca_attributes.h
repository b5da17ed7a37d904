// SPDX-License-Identifier: Apache-2.0
#pragma once
// The attributes of layers of competing neurons: dictionary, dynamics, time step, learning.

#include <weft/attributes.h>

#include <string>
#include <vector>

namespace weft::layers {

[[nodiscard]] std::vector<AttributeSpec> lcaAttributes();
[[nodiscard]] const char* lcaHelp();

/// Returns one sentence on attributes that exclude each other, or an empty string.
[[nodiscard]] std::string lcaProblemOf(const Attributes& attributes);
/// Returns the momentum of the dictionary update, by momentum_method and its number.
[[nodiscard]] double dictionaryMomentum(const Attributes& attributes);
/// Returns the attributes that the specs name.
[[nodiscard]] Attributes selected(const Attributes& attributes,
                                  const std::vector<AttributeSpec>& specs);

} // namespace weft::layers
