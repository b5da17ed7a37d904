// SPDX-License-Identifier: Apache-2.0
#include "front/pictures/atoms.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <optional>
#include <vector>

namespace weft {

namespace {

/// Number of bisections that locate the edge of a band to less than a thousandth of a grid step.
constexpr int bisections = 12;

/// The spectrum along the line from frequency 0 through the peak.
class PeakLine {
public:
    PeakLine(const Patch& patch, const PowerSpectrum& spectrum, Frequency peak)
        : patch_(patch),
          spectrum_(spectrum),
          peak_(peak),
          wanted_(std::sqrt(powerAt(patch, peak)) / 2) {}

    /// Returns the first frequency between the peak and `end` where the gain has fallen to half of
    /// the peak's gain: found on the grid, then refined.
    [[nodiscard]] std::optional<double> edge(double end) const {
        const double from = peak_.magnitude();
        const double step = 0.5 / static_cast<double>(spectrum_.points());
        const auto steps = static_cast<std::int64_t>(std::ceil(std::abs(end - from) / step));
        for (std::int64_t k = 1; k <= steps; ++k) {
            const double size =
                from + (end - from) * static_cast<double>(k) / static_cast<double>(steps);
            if (spectrum_.gainNear(at(size)) <= wanted_) {
                return refined(size, end > from ? step : -step);
            }
        }
        return std::nullopt;
    }

    /// True if the gain is at most half of the peak's gain there.
    [[nodiscard]] bool isBelow(double size) const {
        return std::sqrt(powerAt(patch_, at(size))) <= wanted_;
    }

private:
    [[nodiscard]] Frequency at(double size) const {
        const double share = size / peak_.magnitude();
        return {peak_.down * share, peak_.across * share};
    }
    [[nodiscard]] double refined(double size, double step) const {
        double inside = size - 2 * step;
        double outside = size + step;
        if (isBelow(inside) || !isBelow(outside)) {
            return size;
        }
        for (int k = 0; k < bisections; ++k) {
            const double middle = (inside + outside) / 2;
            (isBelow(middle) ? outside : inside) = middle;
        }
        return (inside + outside) / 2;
    }

    const Patch& patch_;
    const PowerSpectrum& spectrum_;
    Frequency peak_;
    double wanted_;
};

void addBand(AtomFigures& to, const Patch& patch, const PowerSpectrum& spectrum, Frequency peak) {
    if (to.frequency <= 0) {
        return;
    }
    const double last = 0.5 * to.frequency / std::max(std::abs(peak.down), std::abs(peak.across));
    const PeakLine line(patch, spectrum, peak);
    if (!line.isBelow(0)) {
        return; // the gain at frequency 0 is too high: not band-pass
    }
    const std::optional<double> low = line.edge(0);
    const std::optional<double> high = line.edge(std::max(last, to.frequency));
    if (!low || !high || *low <= 0) {
        return;
    }
    to.bandwidth = std::log2(*high / *low);
    double all = 0;
    double inside = 0;
    spectrum.each([&](Frequency at, double power) {
        all += power;
        inside += at.magnitude() >= *low && at.magnitude() <= *high ? power : 0;
    });
    to.passed = all > 0 ? inside / all : 0;
    to.isBandPass =
        to.passed >= 0.5 && to.frequency >= 0.5 / static_cast<double>(patch.longestSide());
}

/// Uses doubled angles, so that opposite directions are equal.
void addOrientation(AtomFigures& to, const PowerSpectrum& spectrum) {
    double all = 0;
    double cosine = 0;
    double sine = 0;
    spectrum.each([&](Frequency at, double power) {
        const double squared = at.down * at.down + at.across * at.across;
        all += power;
        if (squared > 0) {
            // Rows are counted downwards, so the vertical axis is inverted.
            cosine += power * (at.across * at.across - at.down * at.down) / squared;
            sine += power * -2 * at.across * at.down / squared;
        }
    });
    to.selectivity = all > 0 ? std::hypot(cosine, sine) / all : 0;
    // Bars are perpendicular to the direction in which they repeat.
    const double direction = std::atan2(sine, cosine) / 2 * 180 / std::numbers::pi;
    const double bars = std::fmod(direction + 90 + 180, 180);
    to.orientation = bars < 180 ? bars : 0;
}

void addPlace(AtomFigures& to, const Patch& patch) {
    std::vector<double> energies(static_cast<std::size_t>(patch.pixels()));
    double all = 0;
    double sumDown = 0;
    double sumAcross = 0;
    double squares = 0;
    for (std::int64_t y = 0; y < patch.rows; ++y) {
        for (std::int64_t x = 0; x < patch.columns; ++x) {
            double& energy = energies[static_cast<std::size_t>(y * patch.columns + x)];
            for (std::int64_t channel = 0; channel < patch.channels; ++channel) {
                energy += patch.at(channel, y, x) * patch.at(channel, y, x);
            }
            const auto down = static_cast<double>(y);
            const auto across = static_cast<double>(x);
            all += energy;
            sumDown += energy * down;
            sumAcross += energy * across;
            squares += energy * (down * down + across * across);
        }
    }
    const double middle = (sumDown / all) * (sumDown / all) + (sumAcross / all) * (sumAcross / all);
    const auto rows = static_cast<double>(patch.rows);
    const auto columns = static_cast<double>(patch.columns);
    const double even = (rows * rows - 1 + columns * columns - 1) / 12;
    to.spread = even > 0 ? std::sqrt(std::max(0.0, squares / all - middle) / even) : 0;
    std::ranges::sort(energies, std::greater<>());
    double sum = 0;
    std::size_t count = 0;
    while (count < energies.size() && sum < 0.9 * all) {
        sum += energies[count];
        ++count;
    }
    to.covered = static_cast<double>(count) / static_cast<double>(energies.size());
}

} // namespace

double operationsFor(const Patch& frame) {
    const auto points = static_cast<double>(PowerSpectrum::gridPointsFor(frame));
    const double transforms = static_cast<double>(frame.rows) + points / 2;
    const double edges = 2.0 * (bisections + 2) * 10 * static_cast<double>(frame.pixels());
    return static_cast<double>(frame.channels) *
           (transforms * 5 * points * std::log2(points) + edges);
}

AtomFigures figuresOf(const Patch& frame, double energy) {
    AtomFigures made{.energy = energy};
    const PowerSpectrum spectrum(frame);
    const Frequency peak = spectrum.peak();
    // The maximum of a parabola through equal numbers is at 0 except for rounding.
    constexpr double nothing = 1e-9;
    made.frequency = peak.magnitude() < nothing ? 0 : peak.magnitude();
    addBand(made, frame, spectrum, peak);
    addOrientation(made, spectrum);
    addPlace(made, frame);
    return made;
}

} // namespace weft
