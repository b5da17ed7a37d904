// SPDX-License-Identifier: Apache-2.0
#pragma once
// How figures lie in the pictures that a network was trained on, and a figure drawn by hand brought
// to the same: as large, with as wide a pen, its mass at the same place. Pure; any thread.

#include <weft/pictures.h>

#include <QImage>
#include <QPointF>
#include <QPolygonF>
#include <vector>

namespace weft::ui {

/// In pixels of the pictures. As it comes: MNIST's, of 28x28.
struct PictureHabit {
    int rows = 28;
    int columns = 28;
    int channels = 1;
    /// Figures of ink on an empty ground; else nothing is known of how they lie.
    bool areFigures = true;
    bool isInkDark = false;
    double extent = 20;        ///< longer side of the ink
    double pen = 2.4;          ///< how wide lines are
    QPointF middle = {14, 14}; ///< where the centre of mass lies
    bool operator==(const PictureHabit&) const = default;
};

/// MNIST's, for pictures of this size.
[[nodiscard]] PictureHabit usualHabit(int channels, int rows, int columns);
/// Statistics of examples [examples, channels, rows, columns], whatever their normalisation.
[[nodiscard]] PictureHabit habitOf(const TensorNumbers& examples);

/// Lines of a pen, in shares of the field it was drawn in.
using Strokes = std::vector<QPolygonF>;
/// As the network's pictures are: grey, or red, green and blue alike.
[[nodiscard]] QImage drawnAs(const PictureHabit& habit, const Strokes& strokes);

} // namespace weft::ui
