// SPDX-License-Identifier: Apache-2.0
#pragma once
// Maps batch elements to the devices that hold them, as palette indices.

#include <weft/design.h>
#include <weft/preview.h>

#include <cstdint>
#include <string>
#include <vector>

namespace weft::ui {

/// Returns a palette index per element, or -1 if several devices hold it. `layer` may be the last
/// part of the name of a layer inside a group.
[[nodiscard]] std::vector<int> elementHues(const Preview& preview, const Design& design,
                                           const std::string& layer, std::int64_t elements);

} // namespace weft::ui
