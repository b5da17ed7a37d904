// SPDX-License-Identifier: Apache-2.0
#pragma once
// The transfer function from a competing neuron's potential to its code, a = T(v), piecewise linear
// and non-decreasing, and the cost of the code: the integral from `minimum` to a of T^-1(u) - u.
// The dynamics minimise that cost plus half the squared residual (Rozell et al. 2008). T is
// continuous from the right: a potential at the threshold passes. The two-sided function is sign(v)
// T(|v|).

#include <weft/attributes.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace weft {

/// Returns the attributes of ops and layers with a transfer function: transfer, threshold, shift,
/// width, minimum, maximum, two_sided, points_v, points_a, slope_below, slope_above.
[[nodiscard]] std::vector<AttributeSpec> transferAttributes();

class TransferFunction {
public:
    /// Requires attributes for which `problemOf` finds no problem.
    explicit TransferFunction(const Attributes& attributes);

    /// Returns one sentence on what is wrong with the attributes, or an empty string.
    [[nodiscard]] static std::string problemOf(const Attributes& attributes);

    [[nodiscard]] double code(double v) const {
        return !isTwoSided_ ? oneSided(v) : v < 0 ? -oneSided(-v) : oneSided(v);
    }
    /// Returns dT/dv; at a corner the slope of the right side.
    [[nodiscard]] double slope(double v) const;
    [[nodiscard]] double cost(double code) const; ///< integral of T^-1(u) - u up to the code

    /// For potentials from `from` up to the next piece: a = offset + slope (v - origin).
    struct Piece {
        double from = 0; ///< where the piece begins, in potential
        double slope = 0;
        double origin = 0;
        double offset = 0;
    };
    /// Returns all pieces in ascending order, for loops over many codes. If two-sided, the pieces
    /// of |v|.
    [[nodiscard]] std::vector<Piece> pieces() const;
    /// For codes from `from` up to the next piece: base + linear (a - from) + quadratic (a -
    /// from)^2.
    struct CostPiece {
        double from = 0; ///< where the piece begins, in code
        double base = 0;
        double linear = 0;
        double quadratic = 0;
        bool operator==(const CostPiece&) const = default;
    };
    /// Returns all pieces of the cost; if two-sided, of |a|. The first piece also holds below its
    /// `from`.
    [[nodiscard]] std::vector<CostPiece> costPieces() const;
    [[nodiscard]] bool isTwoSided() const { return isTwoSided_; }

private:
    struct Point {
        double v = 0;    ///< potential
        double a = 0;    ///< code at v, on the right
        double cost = 0; ///< from the first point to here
    };

    [[nodiscard]] std::size_t pointCountUpTo(double v) const {
        return static_cast<std::size_t>(
            std::upper_bound(points_.begin(), points_.end(), v,
                             [](double value, const Point& point) { return value < point.v; }) -
            points_.begin());
    }
    [[nodiscard]] double oneSided(double v) const; ///< T(v) of the one-sided function
    /// Returns the integral from the first point. The integral from the minimum differs by a
    /// constant.
    [[nodiscard]] double costFromFirst(double u) const;
    /// Returns the integral of T^-1(u) - u over a straight piece that begins at `from`.
    [[nodiscard]] static double costOfPiece(const Point& from, double inverseSlope, double a);

    std::vector<Point> points_;
    double slopeBelow_ = 0;
    double slopeAbove_ = 1;
    double minimum_ = 0;
    bool isTwoSided_ = false;
};

} // namespace weft
