// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which of the theme's device colours a device has: the same in every view.

#include <weft/design.h>

namespace weft::ui {

[[nodiscard]] int slotOf(const Design& design, const std::string& device);

} // namespace weft::ui
