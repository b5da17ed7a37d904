// SPDX-License-Identifier: Apache-2.0
#pragma once
// Layers on their way from one network into another, and expressions whose parameters go with them.

#include <weft/edits.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// Names in an expression: "2*width" -> {"width"}.
[[nodiscard]] std::set<std::string> namesIn(std::string_view expression);
/// Each name replaced by its text in brackets, or by its number.
[[nodiscard]] std::string substituted(std::string_view expression,
                                      const std::map<std::string, std::string>& texts);

/// The layers chosen, the wires among them, and the frames that hold nothing else.
[[nodiscard]] Network fragmentOf(const Network& network, const std::vector<LayerId>& layers);

/// Adds copies of the fragment's layers, wires, frames and comments under ids and names that are
/// free, moved by `offset`. Gives back old id -> new id. Shared weights follow to the copies.
std::map<LayerId, LayerId> addFragment(Network& network, const Network& fragment, Point offset);

/// Values beside expressions, evaluated anew with these parameters where they can be.
void refreshValues(Network& network, const Attributes& parameters);

} // namespace weft
