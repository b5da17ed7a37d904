// SPDX-License-Identifier: Apache-2.0
#pragma once
// The assignments that layers can have on a mesh: every word, alone or in pairs, that is legal for
// all of them, and the illegal words with the reason and an alternative. Pure.

#include <weft/design.h>
#include <weft/preview.h>

#include <QString>
#include <vector>

namespace weft::ui {

struct AssignmentChoice {
    Assignment assignment;
    QString title;   ///< such as "model.stack" or "data × stack"
    QString meaning; ///< such as "outputs side by side"
    QString help;    ///< an explanation for newcomers; empty if none is needed
    QString reason;  ///< why the choice is illegal; empty: legal
    /// For an illegal choice: the nearest legal assignment; follow if there is none.
    AxisWord alternative = AxisWord::follow;
};

/// Returns all arrangements of that many devices: {4}, {2, 2}, {2, 4} ...
[[nodiscard]] std::vector<std::vector<std::int64_t>> meshShapes(std::size_t devices);

struct ChoiceRequest {
    std::vector<const LayerPreview*> layers; ///< the check's results for the selected layers
    std::vector<std::string> devices;        ///< devices of the mesh in order
    std::vector<std::int64_t> mesh;
};
[[nodiscard]] std::vector<AssignmentChoice> choicesFor(const ChoiceRequest& request);

} // namespace weft::ui
