// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which commands stand in which menu of the bar, and in that of the canvas.

#include <QPoint>

class QWidget;

namespace weft::ui {

class CommandSet;
class TopBar;

void addMenus(TopBar& bar, const CommandSet& commands);
/// Until one is chosen.
void showCanvasMenu(const CommandSet& commands, QWidget& window, QPoint at);

} // namespace weft::ui
