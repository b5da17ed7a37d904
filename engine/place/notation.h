// SPDX-License-Identifier: Apache-2.0
#pragma once
// An op's placement string, read: which letters stand in which dim of which operand and result, and
// which operands are multiplied and added. Letters are numbered in the order in which they appear.
// Nothing here knows sizes but `sizesOf`.

#include "graph/graph.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

using Letter = int; ///< position in Rule::letters
inline constexpr Letter noLetter = -1;

struct RuleLetter {
    std::string name;
    bool isWhole = false;  ///< marked `!`: never split
    bool isTap = false;    ///< the k of a window
    bool isWindow = false; ///< stands before `:` or `/` somewhere: splitting it moves borders
    bool operator==(const RuleLetter&) const = default;
};

struct RuleDim {
    enum class Kind : std::uint8_t { plain, window, reversed };
    Kind kind = Kind::plain;
    std::vector<Letter> letters; ///< plain: the factors, major first; a window: letter and tap
    bool operator==(const RuleDim&) const = default;
};

struct RuleValue {
    std::vector<RuleDim> dims;
    bool isLinear = true;
    bool isMax = false; ///< of a result: absent letters are reduced by max
    bool operator==(const RuleValue&) const = default;

    /// Where a letter stands as one that could be split: the dim, and which factor of it.
    struct Place {
        int dim = -1; ///< -1: not here; -2: twice
        int factor = 0;
    };
    [[nodiscard]] Place find(Letter letter) const;
};

struct RuleResult {
    RuleValue value;
    /// Operands multiplied in each term, brackets distributed; operands not used are left out.
    std::vector<std::vector<std::size_t>> terms;
    bool operator==(const RuleResult&) const = default;
};

struct Rule {
    std::vector<RuleLetter> letters;
    std::vector<RuleValue> operands;
    std::vector<RuleResult> results;
    bool operator==(const Rule&) const = default;

    /// noLetter when there is none of that name.
    [[nodiscard]] Letter find(std::string_view name) const;
};

/// Reads the string for operands and results of these ranks, which say what `...` stands for.
/// Throws Error{bug} when the string is not well formed or the ranks do not fit.
[[nodiscard]] Rule parseRule(std::string_view text, std::span<const std::size_t> operandRanks,
                             std::span<const std::size_t> resultRanks);

/// Size of each letter. `given` fixes those that no dim of its own shows (groups of a convolution);
/// letters whose size nothing needs (taps) may stay 0.
[[nodiscard]] std::vector<std::int64_t> sizesOf(const Rule& rule,
                                                std::span<const Shape* const> operands,
                                                std::span<const Shape* const> results,
                                                const std::map<std::string, std::int64_t>& given);

} // namespace weft
