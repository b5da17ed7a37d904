// SPDX-License-Identifier: Apache-2.0
#pragma once
// Snaps a position to the canvas grid.

#include "theme/theme.h"

#include <QPointF>
#include <cmath>

namespace weft::ui {

[[nodiscard]] inline double snappedToGrid(double at) {
    const double grid = tokens().sizes.space.grid;
    return std::round(at / grid) * grid;
}

[[nodiscard]] inline QPointF snappedToGrid(QPointF at) {
    return {snappedToGrid(at.x()), snappedToGrid(at.y())};
}

} // namespace weft::ui
