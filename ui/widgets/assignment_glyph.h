// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The picture of the words of an assignment.

#include <weft/assignment.h>

#include <QString>
#include <vector>

namespace weft::ui {

/// Under resources/icons; empty where nothing is said.
[[nodiscard]] QString glyphOf(const std::vector<AxisWord>& words, std::size_t devices);

} // namespace weft::ui
