// SPDX-License-Identifier: Apache-2.0
#pragma once
// One axis of a plot, linear or logarithmic: conversion between values and pixels, and ticks. Pure.
// Pixels run from 0 at the least value to `length` at the largest.

#include <QString>
#include <vector>

namespace weft::ui {

struct Range {
    double least = 0; ///< lower end
    double most = 1;  ///< upper end

    [[nodiscard]] double length() const { return most - least; }
    [[nodiscard]] bool contains(double value) const { return value >= least && value <= most; }
    bool operator==(const Range&) const = default;
};

class Axis {
public:
    /// The range of a logarithmic axis must be positive.
    Axis(Range range, double length, bool isLog = false);

    [[nodiscard]] const Range& range() const { return range_; }
    [[nodiscard]] double length() const { return length_; } ///< in pixels
    [[nodiscard]] bool isLog() const { return isLog_; }
    /// On a logarithmic axis, non-positive values are below all others.
    [[nodiscard]] double toPixel(double value) const; ///< position of the value
    [[nodiscard]] double toValue(double pixel) const; ///< reverse of toPixel
    /// Zooms around the value at the pixel; a `factor` below 1 zooms in.
    [[nodiscard]] Range zoomed(double pixel, double factor) const; ///< below 1 zooms in
    [[nodiscard]] Range moved(double pixels) const;                ///< panned

private:
    Range range_;
    double length_; ///< in pixels
    bool isLog_;
    double from_;  ///< least value, or its logarithm
    double scale_; ///< pixels per unit, or per unit of the logarithm
};

struct Tick {
    double value = 0; ///< position on the axis
    QString text;     ///< label
};

/// Returns at most `most` ticks at round numbers: steps of 1, 2 or 5 times a power of ten, or 1, 2,
/// 5 in each decade.
[[nodiscard]] std::vector<Tick> ticksOf(const Range& range, bool isLog, int most = 6);
/// Returns ticks of a time span in seconds, all in the unit of the longest one, which the first
/// tick shows.
[[nodiscard]] std::vector<Tick> timeTicksOf(const Range& seconds, int most = 10);
/// Returns a range with a margin around the data; never empty, and positive for a logarithmic axis.
[[nodiscard]] Range roomyRange(Range data, bool isLog); ///< with a margin; never empty

} // namespace weft::ui
