// SPDX-License-Identifier: Apache-2.0
#pragma once
// One axis of a plot: from values to pixels and back, even or logarithmic, and where its labels
// stand. Pure; pixels count from 0 at the range's least to `length` at its most.

#include <QString>
#include <vector>

namespace weft::ui {

struct Range {
    double least = 0;
    double most = 1;

    [[nodiscard]] double length() const { return most - least; }
    [[nodiscard]] bool has(double value) const { return value >= least && value <= most; }
    bool operator==(const Range&) const = default;
};

class Axis {
public:
    /// Where an axis is logarithmic its range must be above zero.
    Axis(Range range, double length, bool isLog = false);

    [[nodiscard]] const Range& range() const { return range_; }
    [[nodiscard]] double length() const { return length_; }
    [[nodiscard]] bool isLog() const { return isLog_; }
    /// What is not above zero lies below everything on a logarithmic axis.
    [[nodiscard]] double toPixel(double value) const;
    [[nodiscard]] double toValue(double pixel) const;
    /// `factor` below 1 shows less; the value under the pixel stays there.
    [[nodiscard]] Range zoomed(double pixel, double factor) const;
    [[nodiscard]] Range moved(double pixels) const;

private:
    Range range_;
    double length_;
    bool isLog_;
    double from_;
    double scale_;
};

struct Tick {
    double value = 0;
    QString text;
};

/// Round numbers within the range: 1, 2 or 5 times a power of ten apart, or at 1, 2, 5 of each
/// decade; at most so many.
[[nodiscard]] std::vector<Tick> ticksOf(const Range& range, bool isLog, int most = 6);
/// Ticks of a time span in seconds. The unit of all ticks is that of the longest one and is written
/// on the first.
[[nodiscard]] std::vector<Tick> timeTicksOf(const Range& seconds, int most = 10);
/// What holds all of it with a little room; never empty, and above zero where logarithmic.
[[nodiscard]] Range roomyRange(Range data, bool isLog);

} // namespace weft::ui
