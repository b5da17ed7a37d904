// SPDX-License-Identifier: Apache-2.0
#include "widgets/axis.h"

#include "theme/quantity.h"

#include <QLocale>
#include <algorithm>
#include <array>
#include <cmath>

namespace weft::ui {

namespace {

constexpr QChar narrowSpace(0x202F);
constexpr QChar minus(0x2212);
// Smallest value of a logarithmic axis.
constexpr double least = 1e-30;
// Most digits of a label, and the digits to which a longer label is rounded.
constexpr int mostDigits = 7;
constexpr int shortDigits = 3;
const QString about = QStringLiteral("≈ ");

/// Returns the smallest of 1, 2, 5 times a power of ten that is at least `lower`.
double roundStep(double lower) {
    const double power = std::pow(10.0, std::floor(std::log10(lower)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= lower * (1 - 1e-9)) {
            return factor * power;
        }
    }
    return 10 * power;
}

/// How numbers are written: in multiples of `unit` with `suffix`, or with an exponent.
struct Scale {
    double unit = 1;
    const char* suffix = "";
    bool isPower = false;
};

/// Returns how numbers of this size are written: plainly, with an SI prefix if they are very large
/// or small, or with an exponent if no common prefix fits.
Scale scaleOf(double size) {
    static constexpr std::array prefixes = {Scale{1e15, "P"}, Scale{1e12, "T"}, Scale{1e9, "G"},
                                            Scale{1e6, "M"},  Scale{1e3, "k"},  Scale{1.0, ""},
                                            Scale{1e-6, "µ"}, Scale{1e-9, "n"}};
    if (size >= 0.9995e-4 && size < 9999.5) {
        return {};
    }
    if (size >= 999.95e15 || size < 0.9995e-9) {
        return {std::pow(10.0, std::floor(std::log10(size) + 1e-9)), "", true};
    }
    return *std::ranges::find_if(prefixes,
                                 [&](const Scale& one) { return size >= one.unit * 0.9995; });
}

int decimalsOf(double step, const Scale& scale) {
    return std::clamp(static_cast<int>(std::ceil(-std::log10(step / scale.unit) - 1e-9)), 0, 15);
}

/// Uses no more decimals than `step` needs.
QString textOf(double value, double step) {
    if (value == 0) {
        return QStringLiteral("0");
    }
    const double size = std::abs(value);
    const Scale scale = scaleOf(size);
    QLocale locale;
    locale.setNumberOptions(QLocale::OmitGroupSeparator);
    QString text = locale.toString(size / scale.unit, 'f', decimalsOf(step, scale));
    if (scale.isPower) {
        const auto power = static_cast<int>(std::lround(std::log10(scale.unit)));
        text += QLatin1Char('e') + (power < 0 ? QString(minus) : QString()) +
                QString::number(std::abs(power));
    } else if (*scale.suffix != 0) {
        text += narrowSpace + QString::fromUtf8(scale.suffix);
    }
    return value < 0 ? minus + text : text;
}

/// Returns the number of digits of a value's text.
int digitsOf(double value, double step) {
    if (value == 0) {
        return 1;
    }
    const Scale scale = scaleOf(std::abs(value));
    const double whole = std::max(std::abs(value) / scale.unit, 1.0);
    const int ofPower = scale.isPower ? 3 : 0; // "e15"
    return static_cast<int>(std::floor(std::log10(whole))) + 1 + decimalsOf(step, scale) + ofPower;
}

/// If labels would be too long, the first label is rounded and the others are offsets from it.
std::vector<Tick> ticksFrom(double first, double last, double step) {
    std::vector<Tick> ticks;
    const bool isLong =
        std::max(digitsOf(first * step, step), digitsOf(last * step, step)) > mostDigits;
    for (double i = first; i <= last; ++i) {
        const double value = i * step;
        if (!isLong) {
            ticks.push_back({value, textOf(value, step)});
        } else if (ticks.empty()) {
            const double shortest =
                std::pow(10.0, std::floor(std::log10(std::abs(value))) - (shortDigits - 1));
            ticks.push_back({value, about + textOf(value, shortest)});
        } else {
            ticks.push_back({value, QLatin1Char('+') + textOf((i - first) * step, step)});
        }
    }
    return ticks;
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
                if (range.contains(value * (1 + 1e-12)) || range.contains(value * (1 - 1e-12))) {
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
        if (range.contains(value)) {
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
    while (true) {
        const double first = std::ceil(range.least / step - 1e-9);
        const double last = std::floor(range.most / step + 1e-9);
        if (last - first + 1 <= most) {
            return ticksFrom(first, last, step);
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
    const QString suffix = narrowSpace + QString::fromUtf8(unit.second);
    const bool isLong = !ticks.empty() && ticks.front().text.startsWith(about);
    for (std::size_t i = 0; i < ticks.size(); ++i) {
        ticks[i].value *= unit.first;
        if (isLong) {
            ticks[i].text =
                i == 0 ? about + quantity::time(ticks[i].value) : ticks[i].text + suffix;
        } else if (i == 0) {
            ticks[i].text += suffix;
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
    // A range of non-negative data does not extend below zero.
    const double low = data.least - room;
    return {data.least >= 0 ? std::max(low, 0.0) : low, data.most + room};
}

} // namespace weft::ui
