// SPDX-License-Identifier: Apache-2.0
#pragma once
// The typical size, pen width and position of figures in a network's training pictures, and
// adaptation of a drawn figure to them. Pure; callable from any thread.

#include <weft/pictures.h>

#include <QImage>
#include <QPointF>
#include <QPolygonF>
#include <vector>

namespace weft::ui {

/// In pixels of the pictures. The defaults are those of MNIST with 28x28 pixels.
struct PictureHabit {
    int rows = 28;
    int columns = 28;
    int channels = 1;
    /// True if the pictures are figures on an empty background; otherwise drawings are not adapted.
    bool areFigures = true;
    bool isInkDark = false;
    double extent = 20;        ///< longer side of the figure
    double pen = 2.4;          ///< width of lines
    QPointF middle = {14, 14}; ///< centre of mass
    bool operator==(const PictureHabit&) const = default;
};

/// Returns the defaults of MNIST, scaled to this size.
[[nodiscard]] PictureHabit usualHabit(int channels, int rows, int columns);
/// Measures examples [examples, channels, rows, columns] with any normalisation.
[[nodiscard]] PictureHabit habitOf(const TensorNumbers& examples);

/// Pen strokes in fractions of the field.
using Strokes = std::vector<QPolygonF>;
/// Returns the strokes as an input picture; all channels are equal.
[[nodiscard]] QImage drawnAs(const PictureHabit& habit, const Strokes& strokes);

} // namespace weft::ui
