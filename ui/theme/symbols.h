// SPDX-License-Identifier: Apache-2.0
#pragma once
// Icons and glyphs: line drawings of one colour, kept as pixmaps by name, size, colour and pixel
// ratio. Names are paths under resources/icons without ".svg": "glyphs/data", "actions/run".

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QString>

namespace weft::ui {

/// `size` in logical pixels. An unknown name is an empty square, and a test holds that none is
/// used.
[[nodiscard]] QPixmap symbol(const QString& name, int size, const QColor& colour, double ratio);
/// For menus and buttons: follows the palette's text colour, dimmed where disabled.
[[nodiscard]] QIcon symbolIcon(const QString& name, const QColor& colour, const QColor& disabled);

} // namespace weft::ui
