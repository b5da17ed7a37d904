// SPDX-License-Identifier: Apache-2.0
#pragma once
// The problems of a design and the edits that fix them, shared by all views. Lives on the GUI
// thread.

#include "workspace/open_designs.h"
#include <weft/diagnostics.h>

#include <vector>

namespace weft::ui {

/// Returns the problems of the live check, most severe first, then problems of reading the file.
[[nodiscard]] std::vector<Diagnostic> problemsOf(OpenDesign& design);
/// True if the fix can be applied by a click, possibly after asking the user; otherwise it is only
/// a hint.
[[nodiscard]] inline bool canMend(const Diagnostic& problem) {
    return !problem.fix.edits.empty() || !problem.fix.asks.empty();
}
/// Returns the first problem with an automatic fix that deletes no layer, preferring the selected
/// layers.
[[nodiscard]] const Diagnostic* firstFixableProblem(OpenDesign& design,
                                                    const std::vector<Diagnostic>& problems);
/// Applies the fix as one undo step. Returns false if it has no edits or was refused. Fixes that
/// ask the user are applied by `mendOrAsk` (workspace/pick_data.h).
bool mend(DesignDocument& document, const Diagnostic& problem);

} // namespace weft::ui
