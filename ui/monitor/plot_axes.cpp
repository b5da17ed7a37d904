// SPDX-License-Identifier: GPL-3.0-or-later
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
    return {labelWidth, plotHead + 4, std::max(1, size.width() - labelWidth - plotEnd),
            std::max(1, size.height() - plotHead - plotFoot - 8)};
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
