// SPDX-License-Identifier: Apache-2.0
#pragma once
// Handles data dropped on the window: recognises it on a separate thread and makes it the current
// design's data in one undo step.

#include "workspace/window_context.h"

namespace weft::ui {

/// Shows a notice and changes nothing if the files are unreadable or are not data.
void setDesignData(WindowContext& context, const QStringList& files);

} // namespace weft::ui
