// SPDX-License-Identifier: Apache-2.0
#pragma once
// Chooses the icon of an assignment.

#include <weft/assignment.h>

#include <QString>
#include <vector>

namespace weft::ui {

/// Returns a name under resources/icons; empty if there is no assignment.
[[nodiscard]] QString glyphOf(const std::vector<AxisWord>& words, std::size_t devices);

} // namespace weft::ui
