// SPDX-License-Identifier: Apache-2.0
#pragma once
// Assigns commands to the menus of the window and of the canvas.

#include <QPoint>

class QWidget;

namespace weft::ui {

class CommandSet;
class TopBar;

void addMenus(TopBar& bar, const CommandSet& commands); ///< by title, in order
/// Blocks until an entry is chosen or the menu is closed.
void showCanvasMenu(const CommandSet& commands, QWidget& window, QPoint at); ///< blocks

} // namespace weft::ui
