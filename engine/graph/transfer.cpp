// SPDX-License-Identifier: Apache-2.0
#include "graph/transfer.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace weft {

namespace {

constexpr double unbounded = std::numeric_limits<double>::max();

/// hard, soft and firm are the general one with some of its numbers given.
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
    /// The code where the ramp has ended.
    [[nodiscard]] double passed() const { return threshold + width - shift; }
};

std::string problemOfPoints(const Attributes& with) {
    const std::vector<double> v = with.reals("points_v");
    const std::vector<double> a = with.reals("points_a");
    if (v.empty() || v.size() != a.size()) {
        return fmt::format("points_v holds {} numbers and points_a {}: give as many of both, one "
                           "pair per point",
                           v.size(), a.size());
    }
    for (std::size_t k = 1; k < v.size(); ++k) {
        if (v[k] < v[k - 1] || a[k] < a[k - 1]) {
            return fmt::format("points {} and {} fall: a transfer never falls", k, k + 1);
        }
    }
    return {};
}

} // namespace

std::vector<AttributeSpec> transferAttributes() {
    return {
        {.name = "transfer",
         .fallback = std::string("soft"),
         .help = "How a code follows from a potential. hard: the potential where it reaches the "
                 "threshold, else the minimum; soft: the threshold is taken off; firm: a ramp of "
                 "`width` from the threshold up to the potential itself; general: threshold, "
                 "shift, width, minimum and maximum as given; points: straight between points_v "
                 "and points_a.",
         .choices = {"hard", "soft", "firm", "general", "points"}},
        {.name = "threshold",
         .fallback = 0.5,
         .help = "The potential at which a neuron begins to be active.",
         .least = 0},
        {.name = "shift", .fallback = 0.0, .help = "What general takes off the potential."},
        {.name = "width",
         .fallback = 0.0,
         .help = "Of firm and general: how far above the threshold the ramp ends; 0: a jump.",
         .least = 0},
        {.name = "minimum", .fallback = 0.0, .help = "The code below the threshold."},
        {.name = "maximum", .fallback = 0.0, .help = "The largest code; 0: there is none."},
        {.name = "two_sided",
         .fallback = false,
         .help = "Whether negative potentials give negative codes: sign(v) T(|v|)."},
        {.name = "points_v",
         .fallback = std::vector<double>{},
         .help = "Of points: potentials, rising; one twice is a jump."},
        {.name = "points_a", .fallback = std::vector<double>{}, .help = "Of points: their codes."},
        {.name = "slope_below",
         .fallback = 0.0,
         .help = "Of points: the slope before the first.",
         .least = 0},
        {.name = "slope_above",
         .fallback = 1.0,
         .help = "Of points: the slope behind the last.",
         .least = 0},
    };
}

std::string Transfer::problemOf(const Attributes& attributes) {
    const bool isTwoSided = attributes.boolean("two_sided");
    if (attributes.text("transfer") == "points") {
        if (std::string problem = problemOfPoints(attributes); !problem.empty()) {
            return problem;
        }
    } else {
        const TransferNumbers with(attributes);
        if (with.maximum < with.threshold) {
            return fmt::format(
                "the maximum {} lies below the threshold {}: raise it, or 0 for none", with.maximum,
                with.threshold);
        }
        if (with.passed() < with.minimum) {
            return fmt::format("the transfer falls from {} to {} at the threshold: lower the "
                               "minimum or the shift",
                               with.minimum, with.passed());
        }
    }
    if (isTwoSided && Transfer(attributes).above(0) != 0) {
        return "two-sided, the code of a potential of 0 must be 0: set minimum 0 and a threshold "
               "above 0";
    }
    return {};
}

Transfer::Transfer(const Attributes& attributes)
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
        if (with.maximum < with.passed()) { // which cuts the ramp, or the jump
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

double Transfer::costOfPiece(const Point& from, double inverseSlope, double a) {
    const double rise = a - from.a;
    return rise * (from.v - from.a) + rise * rise * (inverseSlope - 1) / 2;
}

double Transfer::above(double v) const {
    const std::size_t count = pointsUpTo(v);
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

double Transfer::slope(double v) const {
    const std::size_t count = pointsUpTo(isTwoSided_ ? std::abs(v) : v);
    if (count == 0) {
        return slopeBelow_;
    }
    if (count == points_.size()) {
        return slopeAbove_;
    }
    return (points_[count].a - points_[count - 1].a) / (points_[count].v - points_[count - 1].v);
}

double Transfer::cost(double code) const {
    const double a = isTwoSided_ ? std::abs(code) : code;
    // The integral from the first point; that from the minimum differs by a constant.
    const auto fromFirst = [this](double u) {
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
    };
    return fromFirst(a) - fromFirst(minimum_);
}

} // namespace weft
