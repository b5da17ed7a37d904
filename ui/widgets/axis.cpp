// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/axis.h"

#include <QLocale>
#include <algorithm>
#include <array>
#include <cmath>

namespace weft::ui {

namespace {

constexpr QChar narrowSpace(0x202F);
constexpr QChar minus(0x2212);
// Below this a logarithmic axis has no more decades.
constexpr double least = 1e-12;

/// The smallest of 1, 2, 5 times a power of ten that is at least so much.
double roundStep(double lower) {
    const double power = std::pow(10.0, std::floor(std::log10(lower)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= lower * (1 - 1e-9)) {
            return factor * power;
        }
    }
    return 10 * power;
}

/// With no more decimals than `step` needs, in thousands, millions or billionths where that is
/// shorter.
QString textOf(double value, double step) {
    if (value == 0) {
        return QStringLiteral("0");
    }
    static constexpr std::array prefixes = {std::pair(1e9, "G"),  std::pair(1e6, "M"),
                                            std::pair(1e3, "k"),  std::pair(1.0, ""),
                                            std::pair(1e-6, "µ"), std::pair(1e-9, "n")};
    const double size = std::abs(value);
    std::pair<double, const char*> best{1, ""};
    if (size >= 9999.5 || size < 0.9995e-4) {
        for (const auto& prefix : prefixes) {
            if (size >= prefix.first * 0.9995) {
                best = prefix;
                break;
            }
        }
    }
    const double unit = step / best.first;
    const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(unit) - 1e-9)), 0, 9);
    QLocale locale;
    locale.setNumberOptions(QLocale::OmitGroupSeparator);
    QString text = locale.toString(size / best.first, 'f', decimals);
    if (*best.second != 0) {
        text += narrowSpace + QString::fromUtf8(best.second);
    }
    return value < 0 ? minus + text : text;
}

std::vector<Tick> logTicksOf(const Range& range, int most) {
    const double low = std::max(range.least, least);
    const auto first = static_cast<int>(std::floor(std::log10(low)));
    const auto last = static_cast<int>(std::ceil(std::log10(std::max(range.most, low))));
    for (const std::vector<double>& within :
         {std::vector<double>{1, 2, 5}, std::vector<double>{1, 3}, std::vector<double>{1}}) {
        std::vector<Tick> ticks;
        for (int decade = first; decade <= last; ++decade) {
            for (const double factor : within) {
                const double value = factor * std::pow(10.0, decade);
                if (range.has(value * (1 + 1e-12)) || range.has(value * (1 - 1e-12))) {
                    ticks.push_back({value, textOf(value, std::pow(10.0, decade))});
                }
            }
        }
        if (static_cast<int>(ticks.size()) <= most && ticks.size() >= 2) {
            return ticks;
        }
    }
    std::vector<Tick> ticks;
    const int stride = std::max(1, (last - first + most) / most);
    for (int decade = first; decade <= last; decade += stride) {
        const double value = std::pow(10.0, decade);
        if (range.has(value)) {
            ticks.push_back({value, textOf(value, value)});
        }
    }
    return ticks;
}

} // namespace

Axis::Axis(Range range, double length, bool isLog) : range_(range), length_(length), isLog_(isLog) {
    if (isLog_) {
        range_.least = std::max(range_.least, least);
        range_.most = std::max(range_.most, range_.least * (1 + 1e-9));
    }
    from_ = isLog_ ? std::log(range_.least) : range_.least;
    const double to = isLog_ ? std::log(range_.most) : range_.most;
    scale_ = to > from_ ? length_ / (to - from_) : 0;
}

double Axis::toPixel(double value) const {
    const double at = isLog_ ? std::log(std::max(value, least * 1e-3)) : value;
    return (at - from_) * scale_;
}

double Axis::toValue(double pixel) const {
    const double at = scale_ > 0 ? from_ + pixel / scale_ : from_;
    return isLog_ ? std::exp(at) : at;
}

Range Axis::zoomed(double pixel, double factor) const {
    return {toValue(pixel - pixel * factor), toValue(pixel + (length_ - pixel) * factor)};
}

Range Axis::moved(double pixels) const { return {toValue(pixels), toValue(length_ + pixels)}; }

std::vector<Tick> ticksOf(const Range& range, bool isLog, int most) {
    const double length = range.length();
    if (!(length > 0) || !std::isfinite(length) || most < 2) {
        return {};
    }
    if (isLog) {
        std::vector<Tick> ticks = logTicksOf(range, most);
        if (ticks.size() >= 2) {
            return ticks;
        }
    }
    double step = roundStep(length / (most + 1));
    std::vector<Tick> ticks;
    while (true) {
        const double first = std::ceil(range.least / step - 1e-9);
        const double last = std::floor(range.most / step + 1e-9);
        if (last - first + 1 <= most) {
            for (double i = first; i <= last; ++i) {
                ticks.push_back({i * step, textOf(i * step, step)});
            }
            return ticks;
        }
        step = roundStep(step * 1.5);
    }
}

std::vector<Tick> timeTicksOf(const Range& seconds, int most) {
    static constexpr std::array units = {std::pair(1.0, "s"), std::pair(1e-3, "ms"),
                                         std::pair(1e-6, "µs"), std::pair(1e-9, "ns")};
    std::pair<double, const char*> unit = units.back();
    for (const auto& one : units) {
        if (seconds.length() >= one.first) {
            unit = one;
            break;
        }
    }
    std::vector<Tick> ticks =
        ticksOf({seconds.least / unit.first, seconds.most / unit.first}, false, most);
    for (std::size_t i = 0; i < ticks.size(); ++i) {
        ticks[i].value *= unit.first;
        if (i == 0) {
            ticks[i].text += narrowSpace + QString::fromUtf8(unit.second);
        }
    }
    return ticks;
}

Range roomyRange(Range data, bool isLog) {
    if (!(data.least <= data.most) || !std::isfinite(data.length())) {
        return isLog ? Range{0.1, 1} : Range{0, 1};
    }
    if (isLog) {
        const double low = std::max(data.least, least);
        const double high = std::max(data.most, low);
        const double room = std::max(std::pow(high / low, 0.06), 1.05);
        return {low / room, high * room};
    }
    const double size = std::max(std::abs(data.least), std::abs(data.most));
    const double room =
        data.length() > size * 1e-9 ? data.length() * 0.06 : std::max(size * 0.1, 1e-9);
    // What is never below zero is not shown below it.
    const double low = data.least - room;
    return {data.least >= 0 ? std::max(low, 0.0) : low, data.most + room};
}

} // namespace weft::ui
