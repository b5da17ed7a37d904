// SPDX-License-Identifier: Apache-2.0
#include "monitor/curve_columns.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace weft::ui {

namespace {

constexpr int dashOn = 4;
constexpr int dashOff = 3;
// Least number of blocks in a column: since only whole blocks are read, a column may include up to
// one block of its neighbour's values.
constexpr std::size_t blocksPerColumn = 3;

constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();

/// Blends a colour into a pixel; `cover` is in 1/256.
QRgb mixed(QRgb below, QRgb colour, unsigned cover) {
    const auto part = [&](int shift) {
        const unsigned from = (below >> shift) & 0xFFU;
        const unsigned to = (colour >> shift) & 0xFFU;
        return ((from * (256 - cover) + to * cover) >> 8U) << static_cast<unsigned>(shift);
    };
    return 0xFF000000U | part(16) | part(8) | part(0);
}

/// With many values per column, neighbouring columns that do not touch meet halfway; computing the
/// exact crossing is not worth two distant memory accesses.
void join(std::vector<CurveColumn>& columns) {
    for (std::size_t i = 1; i < columns.size(); ++i) {
        CurveColumn& a = columns[i - 1];
        CurveColumn& b = columns[i];
        if (a.isEmpty() || b.isEmpty()) {
            continue;
        }
        if (a.bottom < b.top) {
            a.bottom = b.top = (a.bottom + b.top) / 2;
        } else if (b.bottom < a.top) {
            b.bottom = a.top = (b.bottom + a.top) / 2;
        }
    }
}

/// Visits all pixels with their index in the transposed image, in tiles that fit the cache.
template <class Take>
void turn(QImage& image, const Take& take) {
    constexpr int square = 16;
    const int width = image.width();
    const int height = image.height();
    auto* const bits = reinterpret_cast<QRgb*>(image.bits());
    const auto stride = static_cast<std::ptrdiff_t>(image.bytesPerLine() / 4);
    for (int top = 0; top < height; top += square) {
        for (int left = 0; left < width; left += square) {
            for (int x = left; x < std::min(left + square, width); ++x) {
                for (int y = top; y < std::min(top + square, height); ++y) {
                    take(static_cast<std::size_t>(x) * static_cast<std::size_t>(height) +
                             static_cast<std::size_t>(y),
                         bits[y * stride + x]);
                }
            }
        }
    }
}

} // namespace

void CurveColumn::add(double y) {
    const auto at = static_cast<float>(std::clamp(y, -1e6, 1e6));
    if (isEmpty()) {
        top = bottom = at;
        return;
    }
    top = std::min(top, at);
    bottom = std::max(bottom, at);
}

RowBounds::RowBounds(const StepRows& rows, XAxis along, const Axis& x) {
    const auto columns = static_cast<std::size_t>(std::max(1.0, std::ceil(x.length())));
    bounds_.reserve(columns + 1);
    std::size_t row = 0;
    const std::size_t count = rows.size();
    for (std::size_t column = 0; column <= columns; ++column) {
        const double from = x.toValue(static_cast<double>(column));
        std::size_t stride = 1;
        std::size_t high = row;
        while (high < count && rows.at(along, high) < from) {
            row = high + 1;
            high += stride;
            stride *= 2;
        }
        high = std::min(high, count);
        while (row < high) {
            const std::size_t middle = row + (high - row) / 2;
            if (rows.at(along, middle) < from) {
                row = middle + 1;
            } else {
                high = middle;
            }
        }
        bounds_.push_back(row);
    }
    // A value exactly on the right edge belongs to the last column.
    while (bounds_.back() < count && rows.at(along, bounds_.back()) <= x.range().most) {
        ++bounds_.back();
    }
}

std::vector<CurveColumn> columnsOf(const Series& series, const NumberColumn& values, XAxis along,
                                   const RowBounds& bounds, const Axis& x, const Axis& y) {
    const std::size_t count = std::min(values.size(), series.size());
    std::vector<CurveColumn> columns(bounds.columns());
    const auto toY = [&](double value) { return y.length() - y.toPixel(value); };
    /// Returns the height at which the line between two neighbours crosses a column's edge.
    const auto atEdge = [&](std::size_t after, double edge) -> double {
        const double a = values.at(after - 1);
        const double b = values.at(after);
        if (!std::isfinite(a) || !std::isfinite(b)) {
            return nowhere;
        }
        const double from = x.toPixel(series.x(along, after - 1));
        const double to = x.toPixel(series.x(along, after));
        const double share = to > from ? std::clamp((edge - from) / (to - from), 0.0, 1.0) : 1;
        return toY(a) * (1 - share) + toY(b) * share;
    };
    std::size_t first = series.indexOfRow(bounds.firstRowOf(0), 0);
    const std::size_t seen =
        series.indexOfRow(bounds.firstRowOf(bounds.columns()), first) - std::min(first, count);
    const std::size_t grain =
        NumberColumn::largestBlockWithin(seen / (columns.size() * blocksPerColumn) + 1);
    double edge = nowhere;
    if (grain == 1 && first > 0 && first < count) {
        edge = atEdge(first, 0);
    }
    for (std::size_t column = 0; column < columns.size(); ++column) {
        CurveColumn& one = columns[column];
        if (!std::isnan(edge)) {
            one.add(edge);
        }
        std::size_t next = std::min(series.indexOfRow(bounds.firstRowOf(column + 1), first), count);
        if (grain > 1 && column + 1 < columns.size()) {
            next = std::max(first, next - next % grain);
        }
        if (next > first) {
            const Extremes within = values.extremes(first, next);
            one.hasGap = within.hasGap;
            if (!within.isEmpty()) {
                one.add(toY(within.least));
                one.add(toY(within.most));
            }
            first = next;
        }
        edge = nowhere;
        if (grain == 1 && next > 0 && next < count) {
            edge = atEdge(next, static_cast<double>(column + 1));
            if (!std::isnan(edge)) {
                one.add(edge);
            }
        }
    }
    if (grain > 1) {
        join(columns);
    }
    return columns;
}

ColumnCanvas::ColumnCanvas(QImage& image)
    : image_(image),
      pixels_(static_cast<std::size_t>(image.width()) * static_cast<std::size_t>(image.height())) {
    turn(image_, [&](std::size_t at, QRgb& pixel) { pixels_[at] = pixel; });
}

void ColumnCanvas::finish() {
    turn(image_, [&](std::size_t at, QRgb& pixel) { pixel = pixels_[at]; });
}

void ColumnCanvas::drawCurve(const std::vector<CurveColumn>& columns, QRgb colour, Dash dash) {
    const int width = std::min(image_.width(), static_cast<int>(columns.size()));
    const int height = image_.height();
    for (int column = 0; column < width; ++column) {
        const CurveColumn& one = columns[static_cast<std::size_t>(column)];
        if (one.isEmpty() || (dash == Dash::dashed && column % (dashOn + dashOff) >= dashOn)) {
            continue;
        }
        float top = one.top;
        float bottom = one.bottom;
        if (bottom - top < 1) {
            const float middle = (top + bottom) / 2;
            top = middle - 0.5F;
            bottom = middle + 0.5F;
        }
        if (bottom <= 0 || top >= static_cast<float>(height)) {
            continue;
        }
        top = std::max(top, 0.0F);
        bottom = std::min(bottom, static_cast<float>(height));
        const int from = static_cast<int>(top);
        const int to = static_cast<int>(std::ceil(bottom));
        QRgb* const line = pixels_.data() + static_cast<std::ptrdiff_t>(column) * height;
        if (to - from > 2) {
            std::fill(line + from + 1, line + to - 1, colour);
        }
        for (int row : {from, to - 1}) {
            const float cover = std::min(bottom, static_cast<float>(row + 1)) -
                                std::max(top, static_cast<float>(row));
            line[row] = mixed(line[row], colour, static_cast<unsigned>(cover * 256));
            if (to - from == 1) {
                break;
            }
        }
    }
}

Extremes extremesWithin(const Series& series, const NumberColumn& values, XAxis along,
                        const Range& x) {
    const std::size_t first = series.firstIndexFrom(along, x.least);
    std::size_t last = series.firstIndexFrom(along, x.most, first);
    while (last < series.size() && series.x(along, last) <= x.most) {
        ++last;
    }
    last = std::min(last, values.size());
    return values.extremes(std::min(first, last), last);
}

} // namespace weft::ui
