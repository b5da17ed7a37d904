// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the canvas is made of, each the cheapest way there is in software (device pixels): rounded
// boxes with corners from kept pixmaps, values as cuts, dots, dashes, strands.

#include "theme/theme.h"
#include "widgets/value_drawing.h"

#include <QColor>
#include <QPolygonF>
#include <QRect>

class QPainter;

namespace weft::ui {

/// A filled box with a border of `line` pixels inside and round corners.
void drawBox(QPainter& painter, const QRect& box, int radius, const QColor& fill,
             const QColor& border, int line);
/// A ring outside of nothing: border only.
void drawRing(QPainter& painter, const QRect& box, double radius, const QColor& colour, int line,
              bool isDotted = false);
/// A disc with an outline, for ports and badges.
void drawDisc(QPainter& painter, QPointF centre, double diameter, const QColor& fill,
              const QColor& border, double line);
/// So many pixels wide, with the pen's colour: thin lines side by side, which are painted fast.
void drawThick(QPainter& painter, const QPolygonF& line, double width);
/// A line of dashes along a side of whole pixels.
void drawDashes(QPainter& painter, QPoint from, QPoint to, const QColor& colour, int on, int off);

/// The value in a box: cuts and colours; `scale` is device pixels per unit.
void drawValue(QPainter& painter, const QRect& box, const ValueDrawing& value, const Theme& theme,
               double scale);
/// A ruler: the cut of one side only. `isLeft`: of the rows.
void drawRuler(QPainter& painter, const QRect& box, const ValueDrawing& value, const Theme& theme,
               bool isLeft, double scale);

} // namespace weft::ui
