// SPDX-License-Identifier: Apache-2.0
#pragma once
// Copies layers from one network to another, together with the parameters of their expressions.

#include <weft/edits.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// Returns the names in an expression: "2*width" -> {"width"}.
[[nodiscard]] std::set<std::string> namesIn(std::string_view expression);
/// Replaces each name by its text in brackets, or by its number.
[[nodiscard]] std::string substituted(std::string_view expression,
                                      const std::map<std::string, std::string>& texts);

/// Returns the chosen layers, the wires among them, and the frames that contain no other layers.
[[nodiscard]] Network fragmentOf(const Network& network, const std::vector<LayerId>& layers);

/// Adds copies of the fragment's layers, wires, frames and comments with new ids and names, moved
/// by `offset`. Copies of sharing layers share with the copies. Returns old id -> new id.
std::map<LayerId, LayerId> addFragment(Network& network, const Network& fragment, Point offset);

/// Evaluates expressions again with these parameters and updates the values that succeed.
void refreshValues(Network& network, const Attributes& parameters);

} // namespace weft
