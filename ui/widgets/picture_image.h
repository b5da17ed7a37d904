// SPDX-License-Identifier: Apache-2.0
#pragma once
// Converts an engine picture to a QImage.

#include <weft/pictures.h>

#include <QImage>

namespace weft::ui {

[[nodiscard]] QImage imageOf(const Picture& picture);

} // namespace weft::ui
