// SPDX-License-Identifier: Apache-2.0
#pragma once
// Selects the layer of a clicked span or memory block in the design.

#include "workspace/selection.h"

#include <QString>

namespace weft::ui {

/// Selects a layer by its full name; clears the selection if the design has no such layer.
void selectNamed(const Design& design, Selection& selection, const QString& layer);

} // namespace weft::ui
