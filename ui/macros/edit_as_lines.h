// SPDX-License-Identifier: Apache-2.0
#pragma once
// Converts an edit to macro lines, whatever gesture made it: derives lines from the difference,
// performs each on a copy, and finally compares the copy with the result of the edit. Pure.

#include "macros/lines_table.h"

namespace weft::ui {

struct EditAsLines {
    std::vector<QStringList> lines;
    MacroState state;     ///< state after the lines
    bool isExact = false; ///< true if the lines reproduce the edit exactly
};

/// Returns the macro lines of an edit. `state`: the state after replaying the lines before. `path`
/// and `selected`: the network and the selection at the time of the edit.
[[nodiscard]] EditAsLines linesOfEdit(const Design& before, const Design& after,
                                      const MacroState& state, const NetworkPath& path,
                                      const std::vector<LayerId>& selected,
                                      const std::vector<LayerKindInfo>& kinds);

/// Returns lines for the differing settings of training and data.
[[nodiscard]] std::vector<QStringList> settingLines(const Design& now, const Design& wanted);

/// Returns lines that lead from the state's network and selection to the given ones; empty if they
/// are equal.
[[nodiscard]] std::vector<QStringList> linesToSelection(const Design& design,
                                                        const MacroState& state,
                                                        const NetworkPath& path,
                                                        const std::vector<LayerId>& selected);

} // namespace weft::ui
