// SPDX-License-Identifier: Apache-2.0
#pragma once
// Assigns a palette colour to each device, the same in every view.

#include <weft/design.h>

namespace weft::ui {

/// Returns the device's index in the device palette: its declared colour, else its place.
[[nodiscard]] int paletteIndexOf(const Design& design, const std::string& device);

} // namespace weft::ui
