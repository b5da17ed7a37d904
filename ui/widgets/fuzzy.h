// SPDX-License-Identifier: Apache-2.0
#pragma once
// Fuzzy matching: the letters of a query must occur in a text in this order. Matches at the start
// of the text, at starts of words, and of adjacent letters score higher.

#include <QString>
#include <optional>
#include <vector>

namespace weft::ui {

struct FuzzyMatch {
    double score = 0;      ///< higher is better
    std::vector<int> at{}; ///< positions of the letters in the text
};

/// An empty query matches everything with score 0.
[[nodiscard]] std::optional<FuzzyMatch> fuzzyMatch(const QString& query, const QString& text);

} // namespace weft::ui
