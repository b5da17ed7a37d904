// SPDX-License-Identifier: Apache-2.0
#pragma once
// Pages of the help as rich text: all layer kinds, one page per kind, problem codes, scheduling of
// a run, macro lines, and data exchanged with hosts. Generated from the engine's and the commands'
// declarations where possible. Pure.

#include "commands/command_set.h"
#include "theme/theme.h"
#include <weft/catalogue.h>

#include <QString>
#include <vector>

namespace weft::ui {

/// Links have the form "kind:conv2d" or "page:words".
[[nodiscard]] QString kindPage(const LayerKindInfo& kind, const Theme& theme);
[[nodiscard]] QString contentsPage(const std::vector<LayerKindInfo>& kinds, const Theme& theme);
[[nodiscard]] QString problemsPage(const Theme& theme);  ///< problem codes
[[nodiscard]] QString timeWordsPage(const Theme& theme); ///< steps, updates, epochs
[[nodiscard]] QString macroLinesPage(const CommandSet& commands, const Theme& theme);
[[nodiscard]] QString hostsPage(const Theme& theme); ///< data exchanged with hosts

} // namespace weft::ui
