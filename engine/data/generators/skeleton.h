// SPDX-License-Identifier: Apache-2.0
#pragma once
// The strokes of a digit as points in a unit square, y downwards, parsed from the table of forms.

#include <array>
#include <string_view>
#include <vector>

namespace weft::generators {

struct Point {
    float x = 0; ///< from the left, 0 to 1
    float y = 0; ///< from the top, 0 to 1
};

struct StrokePoint {
    Point at;              ///< position in the unit square
    bool isCorner = false; ///< false: the line bends smoothly through the point
};

using Stroke = std::vector<StrokePoint>;

struct Skeleton {     ///< one way to write a digit
    float weight = 1; ///< relative frequency among the forms of its digit
    std::vector<Stroke> strokes;
};

/// No form has more, so drawing can use fixed arrays.
constexpr std::size_t mostStrokes = 3;
constexpr std::size_t mostPointsOfStroke = 16;

/// Parses "20,0 50,100! 80,100 / 0,50 99,50": hundredths; "!" makes a corner, "/" lifts the pen.
[[nodiscard]] std::vector<Stroke> parseStrokes(std::string_view text);

/// Returns all forms by digit.
[[nodiscard]] std::array<std::vector<Skeleton>, 10> digitSkeletons();

} // namespace weft::generators
