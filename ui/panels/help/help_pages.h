// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The pages of the help: one of all layer kinds, one for each, and one of what the codes of
// problems mean, as rich text made from what the engine declares. Pure.

#include "theme/theme.h"
#include <weft/catalogue.h>

#include <QString>
#include <vector>

namespace weft::ui {

/// Links are "kind:conv2d" and "page:problems".
[[nodiscard]] QString kindPage(const LayerKindInfo& kind, const Theme& theme);
[[nodiscard]] QString contentsPage(const std::vector<LayerKindInfo>& kinds, const Theme& theme);
[[nodiscard]] QString problemsPage(const Theme& theme);

} // namespace weft::ui
