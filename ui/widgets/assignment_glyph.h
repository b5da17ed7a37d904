// SPDX-License-Identifier: Apache-2.0
#pragma once
// The picture of the words of an assignment.

#include <weft/assignment.h>

#include <QString>
#include <vector>

namespace weft::ui {

/// Under resources/icons; empty where nothing is said.
[[nodiscard]] QString glyphOf(const std::vector<AxisWord>& words, std::size_t devices);

} // namespace weft::ui
