// SPDX-License-Identifier: Apache-2.0
#pragma once
// Fast drawing primitives of the canvas for software rendering, in device pixels: rounded boxes
// with cached corners, and values as splits, dots, dashes and strands.

#include "theme/theme.h"
#include "widgets/value_drawing.h"

#include <QColor>
#include <QPolygonF>
#include <QRect>

class QPainter;

namespace weft::ui {

/// Fills a rounded box; the border of `line` pixels is inside.
void drawBox(QPainter& painter, const QRect& box, int radius, const QColor& fill,
             const QColor& border, int line);
/// Draws only the border of a rounded box.
void drawRing(QPainter& painter, const QRect& box, double radius, const QColor& colour, int line,
              bool isDotted = false);
/// A disc with an outline, for ports and badges.
void drawDisc(QPainter& painter, QPointF centre, double diameter, const QColor& fill,
              const QColor& border, double line);
/// Draws a polyline `width` pixels wide in the pen's colour as adjacent thin lines, which is fast.
void drawThick(QPainter& painter, const QPolygonF& line, double width);
/// Draws a dashed horizontal or vertical line in whole pixels.
void drawDashes(QPainter& painter, QPoint from, QPoint to, const QColor& colour, int on, int off);

/// Draws a value in a box with splits and colours; `scale`: device pixels per unit.
void drawValue(QPainter& painter, const QRect& box, const ValueDrawing& value, const Theme& theme,
               double scale);
/// Draws a ruler that shows the splits of one side; `isLeft`: of the rows.
void drawRuler(QPainter& painter, const QRect& box, const ValueDrawing& value, const Theme& theme,
               bool isLeft, double scale);

} // namespace weft::ui
