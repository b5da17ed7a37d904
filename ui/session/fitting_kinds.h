// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which layer kinds take a value as it comes: each is tried, as it is when it is placed, on that
// value alone. Pure.

#include <weft/catalogue.h>
#include <weft/preview.h>

#include <map>
#include <string>
#include <vector>

namespace weft::ui {

/// By kind, why it does not take the value; those that do are not in it.
[[nodiscard]] std::map<std::string, std::string> refusalsOf(const std::vector<LayerKindInfo>& kinds,
                                                            const PortPreview& value);

} // namespace weft::ui
