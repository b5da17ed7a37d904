// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether what was typed is meant by a text: its letters stand in it in this order. Better are
// those at the beginning, at beginnings of words, and side by side.

#include <QString>
#include <optional>
#include <vector>

namespace weft::ui {

struct FuzzyMatch {
    double score = 0;      ///< larger is better
    std::vector<int> at{}; ///< places of the letters in the text
};

/// An empty query is meant by everything, with score 0.
[[nodiscard]] std::optional<FuzzyMatch> fuzzyMatch(const QString& query, const QString& text);

} // namespace weft::ui
