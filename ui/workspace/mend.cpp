// SPDX-License-Identifier: Apache-2.0
#include "workspace/mend.h"

#include <algorithm>

namespace weft::ui {

std::vector<Diagnostic> problemsOf(OpenDesign& design) {
    std::vector<Diagnostic> problems = design.check().answer()->preview->problems;
    const std::vector<Diagnostic>& kept = design.document().loadProblems();
    problems.insert(problems.end(), kept.begin(), kept.end());
    std::ranges::stable_sort(problems, {}, &Diagnostic::severity);
    return problems;
}

const Diagnostic* firstFixableProblem(OpenDesign& design, const std::vector<Diagnostic>& problems) {
    const Selection& selection = design.selection();
    const std::set<LayerId>& chosen = selection.layers();
    // A replayed command cannot ask the user, so only fixes that are edits count.
    // None that deletes a layer is chosen without the user's click on it.
    const auto hasEdits = [](const Diagnostic& problem) {
        const std::vector<FixEdit>& edits = problem.fix.edits;
        return !edits.empty() && std::ranges::find(edits, "remove", &FixEdit::verb) == edits.end();
    };
    const auto isOfChosen = [&](const Diagnostic& problem) {
        return hasEdits(problem) && problem.group == selection.path().group &&
               chosen.contains(problem.layer);
    };
    auto found = std::ranges::find_if(problems, isOfChosen);
    if (found == problems.end()) {
        found = std::ranges::find_if(problems, hasEdits);
    }
    return found == problems.end() ? nullptr : &*found;
}

bool mend(DesignDocument& document, const Diagnostic& problem) {
    return !problem.fix.edits.empty() &&
           document
               .edit(
                   QString::fromStdString(problem.fix.text),
                   [&](Design& design) { return applyFix(design, problem.fix, *document.kinds()); })
               .isDone();
}

} // namespace weft::ui
