// SPDX-License-Identifier: Apache-2.0
#pragma once
// A design as a small picture: its far view, cuts and colours. Made on any thread.

#include "theme/theme.h"
#include <weft/catalogue.h>
#include <weft/design.h>

#include <QImage>

namespace weft::ui {

/// Whole design, laid out where its layers stand in one place; `size` in logical pixels.
[[nodiscard]] QImage thumbnailOf(const Design& design, const std::vector<LayerKindInfo>& kinds,
                                 QSize size, double ratio, const Theme& theme);

} // namespace weft::ui
