// SPDX-License-Identifier: Apache-2.0
#pragma once
// The pen's way through a digit as points in a unit square, y downwards, read from the table of
// forms.

#include <array>
#include <string_view>
#include <vector>

namespace weft::generators {

struct Point {
    float x = 0;
    float y = 0;
};

struct StrokePoint {
    Point at;
    bool isCorner = false; ///< else the line bends smoothly through it
};

using Stroke = std::vector<StrokePoint>;

struct Skeleton {
    float weight = 1;
    std::vector<Stroke> strokes;
};

/// Nobody writes a digit with more; who draws one may hold it in a fixed array.
constexpr std::size_t mostStrokes = 3;
constexpr std::size_t mostPointsOfStroke = 16;

/// "20,0 50,100! 80,100 / 0,50 99,50": hundredths, "!" makes a corner, "/" lifts the pen.
[[nodiscard]] std::vector<Stroke> parseStrokes(std::string_view text);

/// All forms by digit.
[[nodiscard]] std::array<std::vector<Skeleton>, 10> digitSkeletons();

} // namespace weft::generators
