// SPDX-License-Identifier: Apache-2.0
#include "monitor/plot_axes.h"

#include "theme/quantity.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

namespace weft::ui {

namespace {

constexpr int labelWidth = 60;

} // namespace

PlotAxes axesOf(const QSize& size, const PlotPicture& picture, double ratio) {
    const QRect area = curveArea(size);
    return {Axis(picture.x, area.width() * ratio, picture.isLogX),
            Axis(picture.y, area.height() * ratio, picture.isLogY), area};
}

QRect curveArea(const QSize& size) {
    return {labelWidth, plotTopMargin + 4, std::max(1, size.width() - labelWidth - plotRightMargin),
            std::max(1, size.height() - plotTopMargin - plotBottomMargin - 8)};
}

std::vector<Tick> valueTicksOf(const PlotPicture& picture, int most) {
    if (picture.isPercent) {
        constexpr double hundred = 100;
        const Range shown{picture.y.least * hundred, picture.y.most * hundred};
        std::vector<Tick> ticks = ticksOf(shown, picture.isLogY, most);
        for (Tick& tick : ticks) {
            tick.value /= hundred;
            tick.text += QStringLiteral("\u202F%");
        }
        return ticks;
    }
    std::vector<Tick> plain = ticksOf(picture.y, picture.isLogY, most);
    if (!picture.isTime) {
        return plain;
    }
    std::vector<Tick> ticks = plain;
    for (Tick& tick : ticks) {
        tick.text = quantity::time(tick.value);
    }
    // If rounding makes neighbouring ticks equal, writes them as on a linear axis.
    const auto isSame = [](const Tick& one, const Tick& next) { return one.text == next.text; };
    return std::ranges::adjacent_find(ticks, isSame) == ticks.end() || picture.isLogY
               ? ticks
               : timeTicksOf(picture.y, most);
}

QString valueText(const PlotPicture& picture, double value) {
    if (!std::isfinite(value)) {
        return QStringLiteral("NaN");
    }
    if (picture.isPercent) {
        return quantity::percent(value);
    }
    if (picture.isTime) {
        return quantity::time(value);
    }
    const double size = std::abs(value);
    if (size >= 1000) {
        return quantity::count(value);
    }
    if (size < 1e-3 && size > 0) {
        return QLocale().toString(value, 'e', 2);
    }
    const int decimals =
        std::clamp(2 - static_cast<int>(std::floor(std::log10(std::max(size, 1e-12)))), 0, 5);
    QString text = QLocale().toString(value, 'f', size == 0 ? 0 : decimals);
    return text.replace(QLatin1Char('-'), QChar(0x2212));
}

} // namespace weft::ui
