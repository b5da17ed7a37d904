// SPDX-License-Identifier: Apache-2.0
#pragma once
// What layers may be assigned on a mesh: every word that is legal for all of them, alone and two by
// two, and the words that are not, with the reason and what can be had instead. Pure.

#include <weft/design.h>
#include <weft/preview.h>

#include <QString>
#include <vector>

namespace weft::ui {

struct AssignmentChoice {
    Assignment assignment;
    QString title;  ///< "model.stack", "data × stack"
    QString means;  ///< "outputs side by side"
    QString help;   ///< for somebody who has never seen the word; empty where it says itself
    QString reason; ///< why not; empty: it is legal
    /// For an illegal choice: the nearest legal assignment; follow if there is none.
    AxisWord instead = AxisWord::follow;
};

/// Arrangements of so many devices: {4}, {2, 2}, {2, 4} ...
[[nodiscard]] std::vector<std::vector<std::int64_t>> meshesOf(std::size_t devices);

struct ChoiceRequest {
    std::vector<const LayerPreview*> layers; ///< what the check says of the selected ones
    std::vector<std::string> devices;        ///< of the mesh, in its order
    std::vector<std::int64_t> mesh;
};
[[nodiscard]] std::vector<AssignmentChoice> choicesFor(const ChoiceRequest& request);

} // namespace weft::ui
