// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which device holds which element of a batch, as its slot in the palette.

#include <weft/design.h>
#include <weft/preview.h>

#include <cstdint>
#include <string>
#include <vector>

namespace weft::ui {

/// The slot of each element, -1 where no one device holds it. `layer` is the name's last part too,
/// of a layer inside a group.
[[nodiscard]] std::vector<int> elementHues(const Preview& preview, const Design& design,
                                           const std::string& layer, std::int64_t elements);

} // namespace weft::ui
