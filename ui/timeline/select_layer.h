// SPDX-License-Identifier: Apache-2.0
#pragma once
// A click on what a layer did or holds selects the layer in its design.

#include "session/selection.h"

#include <QString>

namespace weft::ui {

/// By its full name; what the design does not have clears the selection.
void selectNamed(const Design& design, Selection& selection, const QString& layer);

} // namespace weft::ui
