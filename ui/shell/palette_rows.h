// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the command palette finds: commands, lines of macros as they are typed, and the layers of
// the design that is looked at. What Attach finds: the runs that are going on.

#include "session/bench.h"
#include "widgets/search_popup.h"

namespace weft::ui {

/// Ids: a command's, "layer:" with the layer's number, or "line:" with the line.
[[nodiscard]] std::vector<SearchRow> paletteRows(Bench& bench, const QString& query);

/// Ids: the runs' folders; empty: the row that asks for a folder, which is last.
[[nodiscard]] std::vector<SearchRow> attachRows(const Bench& bench, const QString& query);

} // namespace weft::ui
