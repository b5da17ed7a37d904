// SPDX-License-Identifier: Apache-2.0
#include "theme/symbols.h"

#include <QFile>
#include <QHash>
#include <QPainter>
#include <QSvgRenderer>
#include <cmath>

namespace weft::ui {

namespace {

QString fileOf(const QString& name) { return QStringLiteral(":/icons/") + name + ".svg"; }

QPixmap draw(const QString& name, int size, const QColor& colour, double ratio) {
    const int pixels = std::max(1, static_cast<int>(std::lround(size * ratio)));
    QPixmap pixmap(pixels, pixels);
    pixmap.fill(Qt::transparent);
    QFile file(fileOf(name));
    if (file.open(QIODevice::ReadOnly)) {
        QByteArray text = file.readAll();
        // Qt draws `currentColor` black whatever the palette.
        text.replace("currentColor", colour.name(QColor::HexRgb).toLatin1());
        if (size <= 16) {
            text.replace("stroke-width=\"1.5\"", "stroke-width=\"1.875\"");
        }
        QPainter painter(&pixmap);
        QSvgRenderer(text).render(&painter);
    }
    pixmap.setDevicePixelRatio(ratio);
    return pixmap;
}

} // namespace

QPixmap symbol(const QString& name, int size, const QColor& colour, double ratio) {
    // Thumbnails are painted on other threads.
    thread_local QHash<std::pair<QString, quint64>, QPixmap> kept;
    constexpr double hundredths = 100;
    const std::pair<QString, quint64> key(
        name, (static_cast<quint64>(colour.rgba()) << 32U) | (static_cast<quint64>(size) << 16U) |
                  static_cast<quint64>(std::lround(ratio * hundredths)));
    const auto found = kept.constFind(key);
    if (found != kept.constEnd()) {
        return *found;
    }
    // Zooming requests many sizes; limits the cache.
    constexpr qsizetype most = 4000;
    if (kept.size() >= most) {
        kept.clear();
    }
    return *kept.insert(key, draw(name, size, colour, ratio));
}

QIcon symbolIcon(const QString& name, const QColor& colour, const QColor& disabled) {
    QIcon icon;
    for (const int size : {16, 24}) {
        for (const double ratio : {1.0, 2.0}) {
            icon.addPixmap(symbol(name, size, colour, ratio), QIcon::Normal);
            icon.addPixmap(symbol(name, size, disabled, ratio), QIcon::Disabled);
        }
    }
    return icon;
}

} // namespace weft::ui
