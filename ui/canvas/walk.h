// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where an arrow key leads: along a wire if one leads that way, else to the nearest layer there.
// Pure.

#include "canvas/display_list.h"

#include <Qt>

namespace weft::ui {

/// None where nothing is that way; the first layer where there is no layer to go from.
[[nodiscard]] LayerId neighbourOf(const DisplayList& list, LayerId id, Qt::Key arrow);

} // namespace weft::ui
