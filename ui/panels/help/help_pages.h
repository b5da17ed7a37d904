// SPDX-License-Identifier: Apache-2.0
#pragma once
// The pages of the help: one of all layer kinds, one for each, one of what the codes of problems
// mean, one of the words for how a run goes through time, one of the lines of macros and one of
// what goes to hosts and comes from them, as rich text, made from what the engine and the commands
// declare wherever they do. Pure.

#include "commands/command_set.h"
#include "theme/theme.h"
#include <weft/catalogue.h>

#include <QString>
#include <vector>

namespace weft::ui {

/// Links are "kind:conv2d" and "page:words".
[[nodiscard]] QString kindPage(const LayerKindInfo& kind, const Theme& theme);
[[nodiscard]] QString contentsPage(const std::vector<LayerKindInfo>& kinds, const Theme& theme);
[[nodiscard]] QString problemsPage(const Theme& theme);
[[nodiscard]] QString wordsPage(const Theme& theme);
[[nodiscard]] QString linesPage(const CommandSet& commands, const Theme& theme);
[[nodiscard]] QString hostsPage(const Theme& theme);

} // namespace weft::ui
