// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where a command's keys are heard: keys without Ctrl or Alt, and those of the clipboard, only on
// the canvas, so that fields keep them; the rest in the whole window.

class QWidget;

namespace weft::ui {

class CommandSet;

/// From now on, whatever keys the user sets.
void placeKeys(CommandSet& commands, QWidget& window, QWidget& canvas);

} // namespace weft::ui
