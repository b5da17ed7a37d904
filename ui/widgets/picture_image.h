// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Converts an engine picture to a QImage.

#include <weft/pictures.h>

#include <QImage>

namespace weft::ui {

[[nodiscard]] QImage imageOf(const Picture& picture);

} // namespace weft::ui
