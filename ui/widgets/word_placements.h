// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the words of an assignment do to a layer's input, weight and result, and their glyph.

#include <weft/assignment.h>

#include <QString>
#include <string>
#include <vector>

namespace weft::ui {

/// Placements of what a layer takes, weighs with and makes, a word per mesh axis.
struct WordPlacements {
    std::string x, weight, y;
};
/// `made`: the placement of the result as planned, which says what a word that follows does.
[[nodiscard]] WordPlacements placementsOf(const std::vector<AxisWord>& words,
                                          const std::string& made);

/// Under resources/icons; empty where nothing is said.
[[nodiscard]] QString glyphOf(const std::vector<AxisWord>& words, std::size_t devices);

} // namespace weft::ui
