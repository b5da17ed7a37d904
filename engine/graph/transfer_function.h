// SPDX-License-Identifier: Apache-2.0
#pragma once
// From a competing neuron's potential to its code: a = T(v), piecewise linear and never falling,
// and what the code costs: the integral from `minimum` to a of T^-1(u) - u, whose minimum together
// with half the squared residual the dynamics seek (Rozell et al. 2008). Continuous from the right:
// what reaches the threshold passes. Two-sided, it is sign(v) T(|v|).

#include <weft/attributes.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace weft {

/// transfer, threshold, shift, width, minimum, maximum, two_sided, points_v, points_a, slope_below,
/// slope_above: of the ops, and of layers that have a transfer.
[[nodiscard]] std::vector<AttributeSpec> transferAttributes();

class TransferFunction {
public:
    /// Requires attributes for which `problemOf` finds no problem.
    explicit TransferFunction(const Attributes& attributes);

    /// What is wrong with the attributes, in one sentence; empty: nothing.
    [[nodiscard]] static std::string problemOf(const Attributes& attributes);

    [[nodiscard]] double code(double v) const {
        return !isTwoSided_ ? above(v) : v < 0 ? -above(-v) : above(v);
    }
    /// dT/dv; at a corner that of the side on the right.
    [[nodiscard]] double slope(double v) const;
    [[nodiscard]] double cost(double code) const;

    /// From potential `from` on, and before the next piece: a = offset + slope (v - origin).
    struct Piece {
        double from = 0;
        double slope = 0;
        double origin = 0;
        double offset = 0;
    };
    /// All of them from left to right, for who computes many codes at once; two-sided, of |v|.
    [[nodiscard]] std::vector<Piece> pieces() const;
    /// From code `from` on, and before the next: base + linear (a - from) + quadratic (a - from)^2.
    struct Price {
        double from = 0;
        double base = 0;
        double linear = 0;
        double quadratic = 0;
        bool operator==(const Price&) const = default;
    };
    /// The same for costs, two-sided of |a|; the first holds also below its `from`.
    [[nodiscard]] std::vector<Price> prices() const;
    [[nodiscard]] bool isTwoSided() const { return isTwoSided_; }

private:
    struct Point {
        double v = 0;
        double a = 0;
        double cost = 0; ///< up to here
    };

    [[nodiscard]] std::size_t pointsUpTo(double v) const {
        return static_cast<std::size_t>(
            std::upper_bound(points_.begin(), points_.end(), v,
                             [](double value, const Point& point) { return value < point.v; }) -
            points_.begin());
    }
    [[nodiscard]] double above(double v) const;
    /// The integral from the first point; that from the minimum differs by a constant.
    [[nodiscard]] double costFromFirst(double u) const;
    /// The integral of T^-1(u) - u over a straight piece that begins at `from`.
    [[nodiscard]] static double costOfPiece(const Point& from, double inverseSlope, double a);

    std::vector<Point> points_;
    double slopeBelow_ = 0;
    double slopeAbove_ = 1;
    double minimum_ = 0;
    bool isTwoSided_ = false;
};

} // namespace weft
