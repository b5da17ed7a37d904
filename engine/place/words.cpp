// SPDX-License-Identifier: Apache-2.0
#include "place/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

namespace weft {

namespace {

bool isModelWord(AxisWord word) {
    return word == AxisWord::modelStack || word == AxisWord::modelAdd;
}
bool isSpaceWord(AxisWord word) {
    return word == AxisWord::spaceRows || word == AxisWord::spaceColumns;
}

/// Returns the letters that an assignment may mean, the likeliest first.
std::span<const std::string_view> reservedLetters(AxisWord word) {
    static constexpr std::array<std::string_view, 1> batch{"b"};
    static constexpr std::array<std::string_view, 7> outputs{"g", "o", "h", "k", "c", "e", "d"};
    static constexpr std::array<std::string_view, 2> inputs{"i", "v"};
    static constexpr std::array<std::string_view, 1> rows{"y"};
    static constexpr std::array<std::string_view, 1> columns{"x"};
    switch (word) {
    case AxisWord::data:
    case AxisWord::batch: return batch;
    case AxisWord::modelStack: return outputs;
    case AxisWord::modelAdd: return inputs;
    case AxisWord::spaceRows: return rows;
    case AxisWord::spaceColumns: return columns;
    case AxisWord::follow:
    case AxisWord::replicate: break;
    }
    return {};
}

bool isInResult(const Rule& rule, Letter letter) {
    return std::ranges::any_of(
        rule.results, [&](const RuleResult& result) { return result.value.find(letter).dim >= 0; });
}

/// True for groups: the major factor, larger than one, of a merged dim.
bool isGroup(const NodeRule& rule, Letter letter) {
    return rule.size(letter) > 1 &&
           std::ranges::any_of(rule.rule.operands, [&](const RuleValue& value) {
               return std::ranges::any_of(value.dims, [&](const RuleDim& dim) {
                   return dim.kind == RuleDim::Kind::plain && dim.letters.size() > 1 &&
                          dim.letters.front() == letter;
               });
           });
}

/// Returns the letter that the assignment means in this rule, whether or not it can be split.
Letter letterOf(const NodeRule& rule, AxisWord word) {
    for (const std::string_view name : reservedLetters(word)) {
        const Letter letter = rule.rule.find(name);
        if (letter == noLetter || (name == "g" && !isGroup(rule, letter)) ||
            (word == AxisWord::modelAdd && isInResult(rule.rule, letter))) {
            continue;
        }
        return letter;
    }
    return noLetter;
}

bool isWholeIn(const NodeRule& rule, Letter letter) {
    return rule.rule.letters[static_cast<std::size_t>(letter)].isWhole;
}

/// True if an operand has a letter that is kept whole and that no result has: dims are merged or
/// cut.
bool joinsDims(const NodeRule& rule) {
    const auto count = static_cast<Letter>(rule.rule.letters.size());
    for (Letter letter = 0; letter < count; ++letter) {
        const bool isOperands =
            std::ranges::any_of(rule.rule.operands, [&](const RuleValue& value) {
                return value.find(letter).dim >= 0;
            });
        if (isOperands && isWholeIn(rule, letter) && !isInResult(rule.rule, letter) &&
            !rule.op->expand) {
            return true;
        }
    }
    return false;
}

/// True if a softmax per query (q) runs over all keys (k), which therefore cannot be split.
bool isOverKeys(const NodeRule& rule) {
    const Letter keys = rule.rule.find("k");
    const Letter queries = rule.rule.find("q");
    return keys != noLetter && queries != noLetter && isWholeIn(rule, keys) &&
           !isWholeIn(rule, queries);
}

/// True if windows along the letter overlap the parts of other devices.
bool needsBorders(const NodeRule& rule, AxisWord word) {
    return std::ranges::find(rule.borderLetters, letterOf(rule, word)) != rule.borderLetters.end();
}

std::string describe(AxisWord word, const WordNode& node) {
    if (word == AxisWord::spaceColumns && isOverKeys(*node.rule)) {
        return "softmax runs over the keys; split queries or heads";
    }
    const Letter letter = letterOf(*node.rule, word);
    const std::string& op = node.rule->op->name;
    if (letter == noLetter) {
        return {};
    }
    const std::string& name = node.rule->rule.letters[static_cast<std::size_t>(letter)].name;
    if (needsBorders(*node.rule, word)) {
        return fmt::format("{} reads windows of rows and columns: spatial splits would need a halo "
                           "exchange, which Weft does not offer; split the batch or the channels",
                           op);
    }
    if (isWholeIn(*node.rule, letter)) {
        return fmt::format("{} needs all of `{}` on one device; gather it first, or split another "
                           "dimension",
                           op, name);
    }
    if (isSpaceWord(word)) {
        return "after flatten the rows are no longer contiguous; gather before it, or split "
               "channels";
    }
    return fmt::format("in {} `{}` is not contiguous; split another dimension", op, name);
}

std::string reasonWithoutLetter(const std::vector<WordNode>& nodes, AxisWord word) {
    const bool hasGroups = std::ranges::any_of(nodes, [](const WordNode& node) {
        const Letter letter = node.rule->rule.find("g");
        return letter != noLetter && isGroup(*node.rule, letter);
    });
    if (word == AxisWord::modelAdd) {
        return hasGroups ? "inputs are divided into groups; split by groups with model.stack"
                         : "the layer does not sum over input features; use model.stack";
    }
    if (std::ranges::any_of(nodes, [](const WordNode& node) { return joinsDims(*node.rule); })) {
        return "the layer merges the dimension that would be split; split another one";
    }
    if (isSpaceWord(word)) {
        return "the layer has no rows: it mixes all positions; split another dimension";
    }
    return isModelWord(word) ? "the layer has no output features to split; use data or follow"
                             : "the layer has no batch dimension to split; use follow or replicate";
}

} // namespace

WordFit fitOf(const Node& node, const NodeRule& rule, AxisWord word) {
    WordFit fit;
    const auto own = std::ranges::find(node.letters, nameOf(word), &AssignmentLetter::word);
    if (own != node.letters.end()) {
        fit.letter = rule.rule.find(own->letter);
        fit.grain = own->grain;
    } else {
        fit.letter = letterOf(rule, word);
    }
    if (fit.letter == noLetter) {
        return fit;
    }
    if (rule.hasRow(fit.letter)) {
        fit.kind = WordFit::Kind::row;
    } else if (isWholeIn(rule, fit.letter) && rule.op->expand) {
        fit.kind = WordFit::Kind::expands;
    }
    return fit;
}

bool areApart(const std::vector<WordNode>& nodes) {
    return std::ranges::any_of(
        nodes, [](const WordNode& node) { return hasNetworkPerElement(*node.node); });
}

LegalWord legalityOf(const std::vector<WordNode>& nodes, AxisWord word) {
    LegalWord legal{.word = word};
    if (word == AxisWord::follow || word == AxisWord::replicate) {
        return legal;
    }
    if (word == AxisWord::data && areApart(nodes)) {
        legal.reason = "each batch element has state or weights of its own, which cannot be "
                       "averaged over devices; use batch, which splits the elements";
        return legal;
    }
    std::string reason;
    bool fits = false;
    bool lacksBorders = false;
    for (const WordNode& at : nodes) {
        const WordFit fit = fitOf(*at.node, *at.rule, word);
        if (fit.kind == WordFit::Kind::lacks) {
            lacksBorders = lacksBorders || needsBorders(*at.rule, word);
            if (reason.empty()) {
                reason = describe(word, at);
            }
            continue;
        }
        fits = true;
        if (word == AxisWord::modelStack && isGroup(*at.rule, fit.letter)) {
            const std::int64_t groups = at.rule->size(fit.letter);
            legal.groups = legal.groups == 0 ? groups : std::min(legal.groups, groups);
        }
    }
    // If windows stay whole, splitting something minor (a bias) does not count as splitting the
    // layer.
    if (!fits || lacksBorders) {
        // A failing `model.add` is explained for the layer, not for the op that prevents it.
        legal.reason = reason.empty() || word == AxisWord::modelAdd
                           ? reasonWithoutLetter(nodes, word)
                           : reason;
    }
    return legal;
}

} // namespace weft
