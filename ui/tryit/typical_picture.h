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
struct TypicalPicture {
    int rows = 28;
    int columns = 28;
    int channels = 1;
    /// True if the pictures are figures on an empty background; otherwise drawings are not adapted.
    bool areFigures = true;
    bool isInkDark = false;    ///< figures are darker than the background
    double extent = 20;        ///< longer side of the figure
    double pen = 2.4;          ///< width of lines
    QPointF middle = {14, 14}; ///< centre of mass
    bool operator==(const TypicalPicture&) const = default;
};

/// Returns the defaults of MNIST, scaled to this size.
[[nodiscard]] TypicalPicture mnistPicture(int channels, int rows, int columns);
/// Measures examples [examples, channels, rows, columns] with any normalisation.
[[nodiscard]] TypicalPicture typicalPictureOf(const TensorNumbers& examples);

using Strokes = std::vector<QPolygonF>; ///< pen strokes in fractions of the field
/// Returns the strokes as an input picture; all channels are equal.
[[nodiscard]] QImage drawAs(const TypicalPicture& typical, const Strokes& strokes);

} // namespace weft::ui
