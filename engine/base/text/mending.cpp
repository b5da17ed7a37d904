// SPDX-License-Identifier: Apache-2.0
#include "base/text/mending.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <ranges>

namespace weft {

namespace {

// Counts insertions, deletions, replacements and swaps of neighbours.
std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> above(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before.swap(above);
        above.swap(row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t changed = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({changed, above[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = std::min(row[j], before[j - 2] + 1);
            }
        }
    }
    return row[b.size()];
}

std::string lowered(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

} // namespace

std::string nearestWord(std::string_view word, const std::vector<std::string>& candidates) {
    constexpr std::size_t longestCompared = 64;
    constexpr std::size_t mostCompared = 1000;
    if (word.empty() || word.size() > longestCompared) {
        return {};
    }
    const std::string wanted = lowered(word);
    std::string best;
    std::size_t least = 1 + std::max<std::size_t>(1, word.size() / 3);
    for (const std::string& candidate : candidates | std::views::take(mostCompared)) {
        if (candidate.size() > longestCompared) {
            continue;
        }
        const std::size_t distance = editDistance(wanted, lowered(candidate));
        if (distance < least) {
            least = distance;
            best = candidate;
        }
    }
    return best;
}

std::string nearestChoice(std::string_view word, const AttributeSpec& spec) {
    const auto synonym = spec.synonyms.find(lowered(word));
    return synonym == spec.synonyms.end() ? nearestWord(word, spec.choices) : synonym->second;
}

Fix fixBy(std::string text, std::string verb, std::vector<std::string> arguments) {
    return {std::move(text), {{std::move(verb), std::move(arguments)}}};
}

Fix fixByWord(std::string_view word, const std::vector<std::string>& candidates, std::string verb,
              std::vector<std::string> argumentsBefore, std::string otherwise) {
    const std::string meant = nearestWord(word, candidates);
    if (meant.empty()) {
        return {std::move(otherwise), {}};
    }
    argumentsBefore.push_back(meant);
    return fixBy(fmt::format("write {}", meant), std::move(verb), std::move(argumentsBefore));
}

Fix fixByPicking(const AttributeSpec& spec, std::string key) {
    const bool isSaidByItsName = spec.name == "file" || spec.name == "files";
    return {spec.content == TextContent::folder ? "choose the folder"
            : isSaidByItsName                   ? "choose the " + spec.name
                                                : "choose " + spec.name,
            {},
            std::move(key)};
}

} // namespace weft
