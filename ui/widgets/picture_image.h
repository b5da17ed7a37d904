// SPDX-License-Identifier: Apache-2.0
#pragma once
// A picture of the engine as one that Qt paints.

#include <weft/pictures.h>

#include <QImage>

namespace weft::ui {

[[nodiscard]] QImage imageOf(const Picture& picture);

} // namespace weft::ui
