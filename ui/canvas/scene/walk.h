// SPDX-License-Identifier: Apache-2.0
#pragma once
// Moves the focus by an arrow key: along a wire in that direction if there is one, else to the
// nearest layer in that direction. Pure.

#include "canvas/scene/display_list.h"

#include <Qt>

namespace weft::ui {

/// Returns an invalid id if no layer lies in that direction, and the first layer if `id` is not a
/// layer.
[[nodiscard]] LayerId neighbourInDirection(const DisplayList& list, LayerId id, Qt::Key arrow);

} // namespace weft::ui
