// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What every key and gesture does, in one dialog made from the commands.

class QWidget;

namespace weft::ui {

class Bench;

void showKeyList(Bench& bench, QWidget& window);

} // namespace weft::ui
