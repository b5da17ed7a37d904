// SPDX-License-Identifier: Apache-2.0
#pragma once
// Parses an op's placement string: which letters appear in which dim of each operand and result,
// and which operands are multiplied and added. Letters are numbered in order of appearance. Only
// `sizesOf` uses sizes.

#include "graph/graph.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

using Letter = int; ///< index in Rule::letters
inline constexpr Letter noLetter = -1;

struct RuleLetter {        ///< a letter of a placement string
    std::string name;      ///< as in the placement string
    bool isWhole = false;  ///< marked `!`: never split
    bool isTap = false;    ///< the offset k within a window
    bool isWindow = false; ///< appears before `:` or `/`: splitting it needs an exchange of borders
    bool operator==(const RuleLetter&) const = default;
};

struct RuleDim { ///< a dim of an operand or result in a placement string
    enum class Kind : std::uint8_t { plain, window, reversed }; ///< reversed: a window's gradient
    Kind kind = Kind::plain;
    std::vector<Letter> letters; ///< plain: the factors, major first; window: letter and tap
    bool operator==(const RuleDim&) const = default;
};

struct RuleValue {
    std::vector<RuleDim> dims; ///< the letters of each dim
    bool isLinear = true;      ///< the op is linear in this operand
    bool isMax = false;        ///< for a result: absent letters are reduced by max
    bool operator==(const RuleValue&) const = default;

    /// Where a letter appears in such a way that it can be split.
    struct LetterPlace {
        int dim = -1;       ///< -1: not here; -2: twice
        int indexInDim = 0; ///< index in RuleDim::letters
    };
    [[nodiscard]] LetterPlace find(Letter letter) const; ///< where it can be split
};

struct RuleResult {
    RuleValue value;
    std::vector<std::vector<std::size_t>> terms; ///< sum of products: the operands of each product
    bool operator==(const RuleResult&) const = default;
};

struct Rule {                        ///< a parsed placement string of an op
    std::vector<RuleLetter> letters; ///< in order of appearance
    std::vector<RuleValue> operands;
    std::vector<RuleResult> results;
    bool operator==(const Rule&) const = default;

    /// Returns noLetter if there is no letter of that name.
    [[nodiscard]] Letter find(std::string_view name) const;
};

/// Parses the string for operands and results of these ranks, which determine the meaning of `...`.
/// Throws Error{bug} if the string is malformed or the ranks do not fit.
[[nodiscard]] Rule parseRule(std::string_view text, std::span<const std::size_t> operandRanks,
                             std::span<const std::size_t> resultRanks);

/// Returns the size of each letter. `given` has sizes that no dim shows (groups of a convolution).
/// Sizes that nothing needs (taps) may stay 0.
[[nodiscard]] std::vector<std::int64_t> sizesOf(const Rule& rule,
                                                std::span<const Shape* const> operands,
                                                std::span<const Shape* const> results,
                                                const std::map<std::string, std::int64_t>& given);

} // namespace weft
