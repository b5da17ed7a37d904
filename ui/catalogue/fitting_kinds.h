// SPDX-License-Identifier: Apache-2.0
#pragma once
// Finds the layer kinds that accept a given value, by checking a design with that value and one new
// layer of each kind. Pure.

#include <weft/catalogue.h>
#include <weft/preview.h>

#include <map>
#include <string>
#include <vector>

namespace weft::ui {

/// Maps each kind that does not accept the value to the reason.
[[nodiscard]] std::map<std::string, std::string> refusalsOf(const std::vector<LayerKindInfo>& kinds,
                                                            const PortPreview& value);

} // namespace weft::ui
