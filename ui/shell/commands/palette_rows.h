// SPDX-License-Identifier: Apache-2.0
#pragma once
// Search results of the command palette (commands, typed macro lines, layers of the current design)
// and of the attach popup (live runs).

#include "widgets/search_popup.h"
#include "workspace/window_context.h"

namespace weft::ui {

/// The ids are a command's id, "layer:" with the layer's number, or "line:" with the line.
[[nodiscard]] std::vector<SearchRow> paletteRows(WindowContext& context, const QString& query);

/// The ids are folders of runs; the last row has an empty id and asks for a folder.
[[nodiscard]] std::vector<SearchRow> attachRows(const WindowContext& context, const QString& query);

} // namespace weft::ui
