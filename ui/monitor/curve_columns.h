// SPDX-License-Identifier: Apache-2.0
#pragma once
// From a series of any length to one stretch of pixels per column of the plot: least and most of
// what falls into it, joined to its neighbours by straight lines. No number is left out. Needs no
// widget.

#include "session/series_store.h"
#include "widgets/axis.h"

#include <QImage>
#include <vector>

namespace weft::ui {

/// Heights of one column in pixels from the top; empty where nothing is.
struct CurveColumn {
    float top = 1;
    float bottom = 0;
    bool hasGap = false; ///< a value that is no number

    [[nodiscard]] bool isEmpty() const { return top > bottom; }
    void add(double y);
    bool operator==(const CurveColumn&) const = default;
};

/// Where each pixel column of an axis begins in the rows of a split, and where the last ends: one
/// walk for all series that share the rows.
class RowBounds {
public:
    RowBounds(const StepRows& rows, Along along, const Axis& x);

    [[nodiscard]] std::size_t columns() const { return bounds_.size() - 1; }
    [[nodiscard]] std::size_t at(std::size_t column) const { return bounds_[column]; }

private:
    std::vector<std::size_t> bounds_;
};

/// `values` are those of the series, or made of them one for one. `y` counts pixels from the bottom
/// of a plot that is `y.length()` high.
[[nodiscard]] std::vector<CurveColumn> columnsOf(const Series& series, const NumberColumn& values,
                                                 Along along, const RowBounds& bounds,
                                                 const Axis& x, const Axis& y);

/// How a curve is written.
enum class Dash : std::uint8_t { solid, dashed };

/// An image turned over, so that a column of pixels lies in one piece of memory: curves are written
/// into that, and it is turned back once for all of them.
class ColumnCanvas {
public:
    /// RGB32; it is read now and written by `finish`.
    explicit ColumnCanvas(QImage& image);

    /// One pixel wide, ends of columns shaded by what they cover.
    void write(const std::vector<CurveColumn>& columns, QRgb colour, Dash dash = Dash::solid);
    void finish();

private:
    QImage& image_;
    std::vector<QRgb> pixels_; ///< column by column
};

/// Extremes within the range of x.
[[nodiscard]] Extremes extremesWithin(const Series& series, const NumberColumn& values, Along along,
                                      const Range& x);

} // namespace weft::ui
