// SPDX-License-Identifier: Apache-2.0
#include "graph/transfer_function.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace weft {

namespace {

constexpr double unbounded = std::numeric_limits<double>::max();

/// hard, soft and firm are the general function with some numbers fixed.
struct TransferNumbers {
    double threshold = 0;
    double shift = 0;
    double width = 0;
    double minimum = 0;
    double maximum = unbounded;

    explicit TransferNumbers(const Attributes& with)
        : threshold(with.real("threshold")),
          minimum(with.real("minimum")),
          maximum(with.real("maximum") == 0 ? unbounded : with.real("maximum")) {
        const std::string& kind = with.text("transfer");
        shift = kind == "soft" ? threshold : kind == "general" ? with.real("shift") : 0;
        width = kind == "firm" || kind == "general" ? with.real("width") : 0;
    }
    /// Returns the code at the end of the ramp.
    [[nodiscard]] double passed() const { return threshold + width - shift; }
};

std::string problemOfPoints(const Attributes& with) {
    const std::vector<double> v = with.reals("points_v");
    const std::vector<double> a = with.reals("points_a");
    if (v.empty() || v.size() != a.size()) {
        return fmt::format(
            "points_v has {} numbers and points_a {}: give equally many, one pair for each point",
            v.size(), a.size());
    }
    for (std::size_t k = 1; k < v.size(); ++k) {
        if (v[k] < v[k - 1] || a[k] < a[k - 1]) {
            return fmt::format("points_v or points_a decreases between points {} and {}: give both "
                               "lists in ascending order",
                               k, k + 1);
        }
    }
    return {};
}

} // namespace

std::vector<AttributeSpec> transferAttributes() {
    return {
        {.name = "transfer",
         .defaultValue = std::string("soft"),
         .help = "Transfer function from membrane potential to code. hard: hard threshold, the "
                 "potential itself above the threshold and the minimum below; soft: soft "
                 "threshold, the potential minus the threshold; firm: a linear ramp of `width` "
                 "between the two; general: threshold, shift, width, minimum and maximum as given; "
                 "points: piecewise linear through points_v and points_a.",
         .choices = {"hard", "soft", "firm", "general", "points"}},
        {.name = "threshold",
         .defaultValue = 0.5,
         .help = "Threshold of the potential above which a neuron is active.",
         .least = 0},
        {.name = "shift",
         .defaultValue = 0.0,
         .help = "With transfer general: amount subtracted from the potential."},
        {.name = "width",
         .defaultValue = 0.0,
         .help = "With transfer firm or general: width of the ramp above the threshold. 0: the "
                 "function jumps there.",
         .least = 0},
        {.name = "minimum", .defaultValue = 0.0, .help = "Code of neurons below the threshold."},
        {.name = "maximum", .defaultValue = 0.0, .help = "Largest code. 0: no limit."},
        {.name = "two_sided",
         .defaultValue = false,
         .help = "If true, negative potentials give negative codes: sign(v) T(|v|)."},
        {.name = "points_v",
         .defaultValue = std::vector<double>{},
         .help = "With transfer points: potentials in ascending order. A potential given twice "
                 "makes a jump."},
        {.name = "points_a",
         .defaultValue = std::vector<double>{},
         .help = "With transfer points: the code at each potential of points_v."},
        {.name = "slope_below",
         .defaultValue = 0.0,
         .help = "With transfer points: slope below the first point.",
         .least = 0},
        {.name = "slope_above",
         .defaultValue = 1.0,
         .help = "With transfer points: slope above the last point.",
         .least = 0},
    };
}

std::string TransferFunction::problemOf(const Attributes& attributes) {
    const bool isTwoSided = attributes.boolean("two_sided");
    if (attributes.text("transfer") == "points") {
        if (std::string problem = problemOfPoints(attributes); !problem.empty()) {
            return problem;
        }
    } else {
        const TransferNumbers with(attributes);
        if (with.maximum < with.threshold) {
            return fmt::format("the maximum {} is below the threshold {}: raise the maximum, or "
                               "set it to 0 for no limit",
                               with.maximum, with.threshold);
        }
        if (with.passed() < with.minimum) {
            return fmt::format("the transfer function decreases from {} to {} at the threshold: "
                               "lower the minimum or the shift",
                               with.minimum, with.passed());
        }
    }
    if (isTwoSided && TransferFunction(attributes).oneSided(0) != 0) {
        return "with two_sided, the code of potential 0 must be 0: set minimum to 0 and a "
               "threshold above 0";
    }
    return {};
}

TransferFunction::TransferFunction(const Attributes& attributes)
    : minimum_(attributes.real("minimum")), isTwoSided_(attributes.boolean("two_sided")) {
    if (attributes.text("transfer") == "points") {
        const std::vector<double> v = attributes.reals("points_v");
        const std::vector<double> a = attributes.reals("points_a");
        for (std::size_t k = 0; k < v.size(); ++k) {
            points_.push_back({v[k], a[k], 0});
        }
        slopeBelow_ = attributes.real("slope_below");
        slopeAbove_ = attributes.real("slope_above");
    } else {
        const TransferNumbers with(attributes);
        points_.push_back({with.threshold, with.minimum, 0});
        if (with.maximum < with.passed()) { // the maximum cuts the ramp or the jump
            const double rise = with.passed() - with.minimum;
            const double reached = with.width * (with.maximum - with.minimum) / rise;
            points_.push_back({with.threshold + reached, with.maximum, 0});
            slopeAbove_ = 0;
        } else {
            points_.push_back({with.threshold + with.width, with.passed(), 0});
        }
        if (slopeAbove_ != 0 && with.maximum < unbounded) {
            points_.push_back({with.maximum + with.shift, with.maximum, 0});
            slopeAbove_ = 0;
        }
    }
    for (std::size_t k = 1; k < points_.size(); ++k) {
        const Point& from = points_[k - 1];
        const double rise = points_[k].a - from.a;
        points_[k].cost =
            from.cost +
            (rise == 0 ? 0 : costOfPiece(from, (points_[k].v - from.v) / rise, points_[k].a));
    }
}

double TransferFunction::costOfPiece(const Point& from, double inverseSlope, double a) {
    const double rise = a - from.a;
    return rise * (from.v - from.a) + rise * rise * (inverseSlope - 1) / 2;
}

double TransferFunction::oneSided(double v) const {
    const std::size_t count = pointCountUpTo(v);
    if (count == 0) {
        return points_.front().a + slopeBelow_ * (v - points_.front().v);
    }
    const Point& from = points_[count - 1];
    if (count == points_.size()) {
        return from.a + slopeAbove_ * (v - from.v);
    }
    const Point& to = points_[count];
    return from.a + (to.a - from.a) * (v - from.v) / (to.v - from.v);
}

double TransferFunction::slope(double v) const {
    const std::size_t count = pointCountUpTo(isTwoSided_ ? std::abs(v) : v);
    if (count == 0) {
        return slopeBelow_;
    }
    if (count == points_.size()) {
        return slopeAbove_;
    }
    return (points_[count].a - points_[count - 1].a) / (points_[count].v - points_[count - 1].v);
}

double TransferFunction::cost(double code) const {
    return costFromFirst(isTwoSided_ ? std::abs(code) : code) - costFromFirst(minimum_);
}

double TransferFunction::costFromFirst(double u) const {
    if (u < points_.front().a) {
        return slopeBelow_ == 0 ? 0 : costOfPiece(points_.front(), 1 / slopeBelow_, u);
    }
    std::size_t k = points_.size() - 1;
    while (k > 0 && points_[k].a > u) {
        --k;
    }
    const Point& from = points_[k];
    if (u == from.a) {
        return from.cost;
    }
    if (k + 1 == points_.size()) {
        return slopeAbove_ == 0 ? from.cost : from.cost + costOfPiece(from, 1 / slopeAbove_, u);
    }
    const Point& to = points_[k + 1];
    return from.cost + costOfPiece(from, (to.v - from.v) / (to.a - from.a), u);
}

std::vector<TransferFunction::Piece> TransferFunction::pieces() const {
    const Point& first = points_.front();
    std::vector<Piece> list = {{.from = -std::numeric_limits<double>::infinity(),
                                .slope = slopeBelow_,
                                .origin = first.v,
                                .offset = first.a}};
    for (std::size_t k = 0; k < points_.size(); ++k) {
        const Point& from = points_[k];
        const bool isLast = k + 1 == points_.size();
        if (!isLast && points_[k + 1].v == from.v) {
            continue; // a jump
        }
        const double slope =
            isLast ? slopeAbove_ : (points_[k + 1].a - from.a) / (points_[k + 1].v - from.v);
        // A piece of slope 1 subtracts a constant and rounds once.
        list.push_back(slope == 1 ? Piece{from.v, 1, from.v - from.a, 0}
                                  : Piece{from.v, slope, from.v, from.a});
    }
    return list;
}

std::vector<TransferFunction::CostPiece> TransferFunction::costPieces() const {
    const auto piece = [](const Point& from, double inverseSlope) {
        return CostPiece{from.a, from.cost, from.v - from.a, (inverseSlope - 1) / 2};
    };
    const auto level = [](const Point& from) { return CostPiece{from.a, from.cost, 0, 0}; };
    const Point& first = points_.front();
    std::vector<CostPiece> list = {slopeBelow_ == 0 ? level(first) : piece(first, 1 / slopeBelow_)};
    for (std::size_t k = 0; k < points_.size(); ++k) {
        const Point& from = points_[k];
        const bool isLast = k + 1 == points_.size();
        if (!isLast && points_[k + 1].a == from.a) {
            continue;
        }
        if (isLast) {
            list.push_back(slopeAbove_ == 0 ? level(from) : piece(from, 1 / slopeAbove_));
        } else {
            const Point& to = points_[k + 1];
            list.push_back(piece(from, (to.v - from.v) / (to.a - from.a)));
        }
    }
    const double rest = costFromFirst(minimum_);
    for (CostPiece& price : list) {
        price.base -= rest;
    }
    return list;
}

} // namespace weft
