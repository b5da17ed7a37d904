// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sets the scope of shortcuts: keys without Ctrl or Alt, and the clipboard keys, work only on the
// canvas, so that text fields can use them; all others work in the whole window.

class QWidget;

namespace weft::ui {

class CommandSet;

/// Makes each command's keys work in the whole window, or only in the canvas if text fields need
/// them. Follows later changes of the keys.
void placeKeys(CommandSet& commands, QWidget& window, QWidget& canvas);

} // namespace weft::ui
