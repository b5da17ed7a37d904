// SPDX-License-Identifier: Apache-2.0
#include "widgets/picture_image.h"

namespace weft::ui {

QImage imageOf(const Picture& picture) {
    QImage image(static_cast<int>(picture.columns), static_cast<int>(picture.rows),
                 QImage::Format_RGB32);
    for (int y = 0; y < image.height(); ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (int x = 0; x < image.width(); ++x) {
            const bool isGrey = picture.channels < 3;
            line[x] = qRgb(picture.at(0, y, x), picture.at(isGrey ? 0 : 1, y, x),
                           picture.at(isGrey ? 0 : 2, y, x));
        }
    }
    return image;
}

} // namespace weft::ui
