// SPDX-License-Identifier: Apache-2.0
#include "front/atoms.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <optional>
#include <vector>

namespace weft {

namespace {

/// The gain at which a band ends, of that at its peak; its power.
constexpr double halfGain = 0.25;

/// The frequency, along the line through the peak, at which power has fallen to a share of the
/// peak's; looked for from the peak until `end`.
std::optional<double> edgeOf(const Patch& patch, Frequency peak, double end) {
    const double from = peak.size();
    const double wanted = std::sqrt(halfGain * powerAt(patch, peak));
    const double step = 1.0 / (16.0 * static_cast<double>(patch.longest()));
    const auto steps = static_cast<std::int64_t>(std::ceil(std::abs(end - from) / step));
    double lastSize = from;
    double lastGain = std::sqrt(powerAt(patch, peak));
    for (std::int64_t k = 1; k <= steps; ++k) {
        const double size =
            from + (end - from) * static_cast<double>(k) / static_cast<double>(steps);
        const double gain =
            std::sqrt(powerAt(patch, {peak.down * size / from, peak.across * size / from}));
        if (gain <= wanted) {
            const double share = lastGain > gain ? (lastGain - wanted) / (lastGain - gain) : 1.0;
            return lastSize + share * (size - lastSize);
        }
        lastSize = size;
        lastGain = gain;
    }
    return std::nullopt;
}

void addBand(AtomFigures& to, const Patch& patch, const PowerSpectrum& spectrum, Frequency peak) {
    // A hair above 0 is what the parabola between points may make of a peak at 0.
    if (to.frequency < 1e-3 / static_cast<double>(patch.longest())) {
        return;
    }
    const double last = 0.5 * to.frequency / std::max(std::abs(peak.down), std::abs(peak.across));
    const std::optional<double> low = edgeOf(patch, peak, 0);
    const std::optional<double> high = edgeOf(patch, peak, std::max(last, to.frequency));
    if (!low || !high || *low <= 0) {
        return;
    }
    to.bandwidth = std::log2(*high / *low);
    double all = 0;
    double inside = 0;
    spectrum.each([&](Frequency at, double power) {
        all += power;
        inside += at.size() >= *low && at.size() <= *high ? power : 0;
    });
    to.passed = all > 0 ? inside / all : 0;
    to.isBandPass = to.passed >= 0.5 && to.frequency >= 0.5 / static_cast<double>(patch.longest());
}

/// Doubled angles: opposite directions are one.
void addOrientation(AtomFigures& to, const PowerSpectrum& spectrum) {
    double all = 0;
    double cosine = 0;
    double sine = 0;
    spectrum.each([&](Frequency at, double power) {
        const double squared = at.down * at.down + at.across * at.across;
        all += power;
        if (squared > 0) {
            // Rows go down: up is the other way.
            cosine += power * (at.across * at.across - at.down * at.down) / squared;
            sine += power * -2 * at.across * at.down / squared;
        }
    });
    to.selectivity = all > 0 ? std::hypot(cosine, sine) / all : 0;
    // Bars stand across the direction in which they follow each other.
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

double workOf(const Patch& frame) {
    const auto points = static_cast<double>(PowerSpectrum::pointsFor(frame));
    const double transforms = static_cast<double>(frame.rows) + points / 2;
    const double line = 16.0 * static_cast<double>(frame.longest() * frame.pixels()) * 10;
    return static_cast<double>(frame.channels) *
           (transforms * 5 * points * std::log2(points) + line);
}

AtomFigures figuresOf(const Patch& frame, double energy) {
    AtomFigures made{.energy = energy};
    const PowerSpectrum spectrum(frame);
    const Frequency peak = spectrum.peak();
    made.frequency = peak.size();
    addBand(made, frame, spectrum, peak);
    addOrientation(made, spectrum);
    addPlace(made, frame);
    return made;
}

} // namespace weft
