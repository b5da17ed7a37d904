// SPDX-License-Identifier: Apache-2.0
#pragma once
// Single-colour icons and glyphs, cached as pixmaps by name, size, colour and pixel ratio. Names
// are paths under resources/icons without ".svg": "glyphs/data", "actions/run".

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QString>

namespace weft::ui {

/// `size` in logical pixels. An unknown name gives an empty pixmap; a test checks that every used
/// name exists.
[[nodiscard]] QPixmap symbol(const QString& name, int size, const QColor& colour, double ratio);
/// Returns an icon for menus and buttons in this colour, dimmed when disabled.
[[nodiscard]] QIcon symbolIcon(const QString& name, const QColor& colour, const QColor& disabled);

} // namespace weft::ui
