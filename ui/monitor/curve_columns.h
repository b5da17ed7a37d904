// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reduces a series of any length to one vertical span per pixel column: the minimum and maximum of
// its values, joined to the neighbours by straight lines. No value is left out. Needs no widget.

#include "runs/series_store.h"
#include "widgets/axis.h"

#include <QImage>
#include <vector>

namespace weft::ui {

/// Vertical span of one column in pixels from the top; empty if there is no value.
struct CurveColumn {
    float top = 1;       ///< pixels; greater than `bottom`: no value
    float bottom = 0;    ///< pixels
    bool hasGap = false; ///< the column contains a NaN or infinity

    [[nodiscard]] bool isEmpty() const { return top > bottom; }
    void add(double y); ///< extends the span to `y`
    bool operator==(const CurveColumn&) const = default;
};

/// Maps pixel columns to ranges of rows; computed once for all series that share the rows.
class RowBounds {
public:
    RowBounds(const StepRows& rows, XAxis along, const Axis& x);

    [[nodiscard]] std::size_t columns() const { return bounds_.size() - 1; }
    [[nodiscard]] std::size_t firstRowOf(std::size_t column) const { return bounds_[column]; }

private:
    std::vector<std::size_t> bounds_; ///< first row of each column, and the end
};

/// Returns the curve of a series, one span per pixel column. `values`: those of the series, or one
/// derived value for each. `y` counts pixels from the bottom of a plot of height `y.length()`.
[[nodiscard]] std::vector<CurveColumn> columnsOf(const Series& series, const NumberColumn& values,
                                                 XAxis along, const RowBounds& bounds,
                                                 const Axis& x, const Axis& y);

enum class Dash : std::uint8_t { solid, dashed }; ///< line style of a curve

/// A transposed image, so that a pixel column is contiguous in memory. Curves are drawn into it,
/// and `finish` transposes it back once.
class ColumnCanvas {
public:
    /// `image` must be RGB32. It is read here and written by `finish`.
    explicit ColumnCanvas(QImage& image);

    /// Draws a curve one pixel wide with antialiased ends of the columns.
    void drawCurve(const std::vector<CurveColumn>& columns, QRgb colour, Dash dash = Dash::solid);
    void finish(); ///< writes into the image

private:
    QImage& image_;            ///< written by `finish`
    std::vector<QRgb> pixels_; ///< in column order
};

/// Returns the extremes of the values within the range of x.
[[nodiscard]] Extremes extremesWithin(const Series& series, const NumberColumn& values, XAxis along,
                                      const Range& x);

} // namespace weft::ui
