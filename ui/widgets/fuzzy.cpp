// SPDX-License-Identifier: Apache-2.0
#include "widgets/fuzzy.h"

#include <limits>

namespace weft::ui {

namespace {

constexpr double never = -std::numeric_limits<double>::infinity();

bool beginsWord(const QString& text, int at) {
    return at == 0 || !text[at - 1].isLetterOrNumber() ||
           (text[at].isUpper() && text[at - 1].isLower());
}

QString lettersOf(const QString& query) {
    QString letters;
    for (const QChar letter : query) {
        if (!letter.isSpace()) {
            letters += letter.toLower();
        }
    }
    return letters;
}

} // namespace

std::optional<FuzzyMatch> fuzzyMatch(const QString& query, const QString& text) {
    const QString asked = lettersOf(query);
    const auto m = static_cast<int>(asked.size());
    const auto n = static_cast<int>(text.size());
    if (m == 0) {
        return FuzzyMatch{};
    }
    if (m > n) {
        return std::nullopt;
    }
    // best[i][j]: the best score for the first i letters, with the last of them at j - 1.
    std::vector<std::vector<double>> best(
        static_cast<std::size_t>(m) + 1,
        std::vector<double>(static_cast<std::size_t>(n) + 1, never));
    auto from = std::vector<std::vector<int>>(static_cast<std::size_t>(m) + 1,
                                              std::vector<int>(static_cast<std::size_t>(n) + 1, 0));
    const auto cell = [&best](int i, int j) -> double& {
        return best[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    };
    cell(0, 0) = 0;
    for (int i = 1; i <= m; ++i) {
        double before = never;
        int beforeAt = 0;
        for (int j = 1; j <= n; ++j) {
            if (cell(i - 1, j - 1) > before) {
                before = cell(i - 1, j - 1);
                beforeAt = j - 1;
            }
            if (text[j - 1].toLower() != asked[i - 1]) {
                continue;
            }
            const double beside = cell(i - 1, j - 1) + (i > 1 ? 3 : 0);
            const bool isBeside = beside >= before - 0.1 * (j - 1 - beforeAt) && i > 1;
            const double gap = i == 1 ? 0.05 * (j - 1) : 0.5;
            const double reached = isBeside ? beside : before - gap;
            if (reached == never) {
                continue;
            }
            cell(i, j) = reached + 1 + (beginsWord(text, j - 1) ? 2 : 0) + (j == 1 ? 1 : 0);
            from[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] =
                isBeside ? j - 1 : beforeAt;
        }
    }
    int end = 0;
    for (int j = 1; j <= n; ++j) {
        end = cell(m, j) > (end == 0 ? never : cell(m, end)) ? j : end;
    }
    if (end == 0) {
        return std::nullopt;
    }
    FuzzyMatch match{cell(m, end) - 0.02 * n, {}};
    for (int i = m, j = end; i > 0; --i) {
        match.at.insert(match.at.begin(), j - 1);
        j = from[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    }
    return match;
}

} // namespace weft::ui
