// SPDX-License-Identifier: Apache-2.0
#pragma once
// Interpolates between two colours.

#include <QColor>
#include <cmath>

namespace weft::ui {

inline QRgb blend(QRgb from, QRgb to, double share) { ///< share: 0 to 1
    const auto part = [share](int a, int b) {
        return static_cast<int>(std::lround(a + (b - a) * share));
    };
    return qRgb(part(qRed(from), qRed(to)), part(qGreen(from), qGreen(to)),
                part(qBlue(from), qBlue(to)));
}

inline QColor blend(const QColor& from, const QColor& to, double share) { ///< share: 0 to 1
    return QColor::fromRgb(blend(from.rgb(), to.rgb(), share));
}

} // namespace weft::ui
