// SPDX-License-Identifier: Apache-2.0
#include "front/pictures/atom_spectrum.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

namespace weft {

namespace {

struct Phasor {
    double re = 0;
    double im = 0;
};

Phasor times(Phasor a, Phasor b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }

Phasor turned(double cycles) {
    const double angle = -2 * std::numbers::pi * cycles;
    return {std::cos(angle), std::sin(angle)};
}

/// X[k] = sum x[n] e^(-2 pi i k n / N) in place, N a power of two: elements are permuted to
/// bit-reversed order, then combined (Cooley and Tukey 1965).
class Transform {
public:
    explicit Transform(std::size_t size) : turns_(size) {
        for (std::size_t k = 0; k < size; ++k) {
            turns_[k] = turned(static_cast<double>(k) / static_cast<double>(size));
        }
    }

    void run(std::vector<Phasor>& x) const {
        mirror(x);
        const std::size_t size = turns_.size();
        for (std::size_t length = 2; length <= size; length *= 2) {
            const std::size_t half = length / 2;
            for (std::size_t begin = 0; begin < size; begin += length) {
                for (std::size_t k = 0; k < half; ++k) {
                    const Phasor even = x[begin + k];
                    const Phasor odd = times(x[begin + k + half], turns_[k * (size / length)]);
                    x[begin + k] = {even.re + odd.re, even.im + odd.im};
                    x[begin + k + half] = {even.re - odd.re, even.im - odd.im};
                }
            }
        }
    }

private:
    static void mirror(std::vector<Phasor>& x) {
        for (std::size_t k = 1, mirrored = 0; k < x.size(); ++k) {
            std::size_t bit = x.size() / 2;
            for (; (mirrored & bit) != 0; bit /= 2) {
                mirrored ^= bit;
            }
            mirrored ^= bit;
            if (k < mirrored) {
                std::swap(x[k], x[mirrored]);
            }
        }
    }

    std::vector<Phasor> turns_;
};

} // namespace

double Frequency::magnitude() const { return std::hypot(down, across); }

double powerAt(const Patch& patch, Frequency at) {
    const Phasor rowTurn = turned(at.down);
    const Phasor columnTurn = turned(at.across);
    double power = 0;
    for (std::int64_t channel = 0; channel < patch.channels; ++channel) {
        Phasor sum;
        Phasor row{1, 0};
        for (std::int64_t y = 0; y < patch.rows; ++y, row = times(row, rowTurn)) {
            Phasor turn = row;
            for (std::int64_t x = 0; x < patch.columns; ++x, turn = times(turn, columnTurn)) {
                const double w = patch.at(channel, y, x);
                sum.re += w * turn.re;
                sum.im += w * turn.im;
            }
        }
        power += sum.re * sum.re + sum.im * sum.im;
    }
    return power;
}

std::int64_t PowerSpectrum::gridPointsFor(const Patch& patch) {
    const std::int64_t least = std::max<std::int64_t>(64, 4 * patch.longestSide());
    return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(least)));
}

PowerSpectrum::PowerSpectrum(const Patch& patch) : points_(gridPointsFor(patch)) {
    const auto points = static_cast<std::size_t>(points_);
    const std::size_t half = points / 2;
    const Transform transform(points);
    power_.assign(points * (half + 1), 0);
    std::vector<std::vector<Phasor>> rows(static_cast<std::size_t>(patch.rows));
    std::vector<Phasor> column(points);
    for (std::int64_t channel = 0; channel < patch.channels; ++channel) {
        for (std::int64_t y = 0; y < patch.rows; ++y) {
            std::vector<Phasor>& row = rows[static_cast<std::size_t>(y)];
            row.assign(points, {});
            for (std::int64_t x = 0; x < patch.columns; ++x) {
                row[static_cast<std::size_t>(x)].re = patch.at(channel, y, x);
            }
            transform.run(row);
        }
        for (std::size_t across = 0; across <= half; ++across) {
            std::ranges::fill(column, Phasor{});
            for (std::size_t y = 0; y < rows.size(); ++y) {
                column[y] = rows[y][across];
            }
            transform.run(column);
            for (std::size_t down = 0; down < points; ++down) {
                const Phasor made = column[down];
                power_[down * (half + 1) + across] += made.re * made.re + made.im * made.im;
            }
        }
    }
}

double PowerSpectrum::gridPower(std::int64_t down, std::int64_t across) const {
    if (across < 0) {
        return gridPower(-down, -across);
    }
    const std::int64_t half = points_ / 2;
    if (across > half) {
        return gridPower(-down, points_ - across);
    }
    const std::int64_t row = (down + 2 * points_) % points_;
    return power_[static_cast<std::size_t>(row * (half + 1) + across)];
}

double PowerSpectrum::gainNear(Frequency where) const {
    const double down = where.down * static_cast<double>(points_);
    const double across = where.across * static_cast<double>(points_);
    const auto y = static_cast<std::int64_t>(std::floor(down));
    const auto x = static_cast<std::int64_t>(std::floor(across));
    const double v = down - std::floor(down);
    const double u = across - std::floor(across);
    const auto gain = [&](std::int64_t row, std::int64_t column) {
        return std::sqrt(gridPower(row, column));
    };
    return (1 - v) * ((1 - u) * gain(y, x) + u * gain(y, x + 1)) +
           v * ((1 - u) * gain(y + 1, x) + u * gain(y + 1, x + 1));
}

double PowerSpectrum::peakOffset(double before, double here, double after) {
    if (before <= 0 || here <= 0 || after <= 0) {
        return 0;
    }
    const double left = std::log(before / here);
    const double right = std::log(after / here);
    const double bend = left + right;
    return bend < 0 ? std::clamp((left - right) / (2 * bend), -0.5, 0.5) : 0;
}

Frequency PowerSpectrum::peak() const {
    const std::int64_t half = points_ / 2;
    std::int64_t down = 0;
    std::int64_t across = 0;
    for (std::int64_t y = -half; y < half; ++y) {
        for (std::int64_t x = 0; x <= half; ++x) {
            if (gridPower(y, x) > gridPower(down, across)) {
                down = y;
                across = x;
            }
        }
    }
    const double here = gridPower(down, across);
    const auto n = static_cast<double>(points_);
    return {(static_cast<double>(down) +
             peakOffset(gridPower(down - 1, across), here, gridPower(down + 1, across))) /
                n,
            (static_cast<double>(across) +
             peakOffset(gridPower(down, across - 1), here, gridPower(down, across + 1))) /
                n};
}

} // namespace weft
