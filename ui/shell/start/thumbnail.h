// SPDX-License-Identifier: Apache-2.0
#pragma once
// Draws a small overview picture of a design with its splits and colours. Callable from any thread.

#include "theme/theme.h"
#include <weft/catalogue.h>
#include <weft/design.h>

#include <QImage>

namespace weft::ui {

/// Draws the whole design, laid out first if its layers have no positions of their own; `size` in
/// logical pixels.
[[nodiscard]] QImage thumbnailOf(const Design& design, const std::vector<LayerKindInfo>& kinds,
                                 QSize size, double ratio, const Theme& theme);

} // namespace weft::ui
