// SPDX-License-Identifier: Apache-2.0
#pragma once
// The problems of a design and what mends them: one list and one edit, whatever shows them. Lives
// on the GUI thread.

#include "session/open_designs.h"
#include <weft/diagnostics.h>

#include <vector>

namespace weft::ui {

/// Worst first, then in the order of the data: what the live check found, then what of the file
/// could not be understood.
[[nodiscard]] std::vector<Diagnostic> problemsOf(OpenDesign& design);
/// Whether a click or a key mends it, or asks for what does; else its fix is a word to the author.
[[nodiscard]] inline bool canMend(const Diagnostic& problem) {
    return !problem.fix.edits.empty() || !problem.fix.asks.empty();
}
/// The first that edits mend: of the layers that are selected, where one of theirs can.
[[nodiscard]] const Diagnostic* firstToMend(OpenDesign& design,
                                            const std::vector<Diagnostic>& problems);
/// One step of the history, named as its fix. False where it has no edits or was refused; what asks
/// for something is for `mendOrAsk` (session/pick_data.h).
bool mend(DesignDocument& document, const Diagnostic& problem);

} // namespace weft::ui
