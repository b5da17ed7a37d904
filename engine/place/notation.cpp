// SPDX-License-Identifier: Apache-2.0
#include "place/notation.h"

#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace weft {

namespace {

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') {
        text.remove_prefix(1);
    }
    while (!text.empty() && text.back() == ' ') {
        text.remove_suffix(1);
    }
    return text;
}

/// Splits at separators outside of brackets.
std::vector<std::string_view> splitTop(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t k = 0; k <= text.size(); ++k) {
        if (k == text.size() || (text[k] == separator && depth == 0)) {
            parts.push_back(trimmed(text.substr(begin, k - begin)));
            begin = k + 1;
        } else if (text[k] == '(' || text[k] == '[') {
            ++depth;
        } else if (text[k] == ')' || text[k] == ']') {
            --depth;
        }
    }
    return parts;
}

/// Returns the dims of one value as words; a merged dim is one word.
std::vector<std::string_view> wordsOf(std::string_view text) {
    std::vector<std::string_view> words;
    for (const std::string_view word : splitTop(text, ' ')) {
        if (!word.empty()) {
            words.push_back(word);
        }
    }
    return words;
}

struct ValueText {
    std::vector<std::string_view> dims;
    bool isLinear = true;
    bool isMax = false;
    bool isUsed = true;
};

ValueText valueText(std::string_view text) {
    ValueText value;
    if (text.starts_with('~')) {
        value.isLinear = false;
        text = trimmed(text.substr(1));
    } else if (text.starts_with('^')) {
        value.isMax = true;
        text = trimmed(text.substr(1));
    }
    value.isUsed = text != "_";
    if (value.isUsed && text != "()") {
        value.dims = wordsOf(text);
    }
    return value;
}

using Terms = std::vector<std::vector<std::size_t>>;

/// Returns the terms of a sum and appends its operands in order.
Terms sumOf(std::string_view text, std::vector<ValueText>& operands) {
    Terms terms;
    for (const std::string_view product : splitTop(text, '+')) {
        Terms products{{}};
        for (const std::string_view factor : splitTop(product, ',')) {
            Terms inner;
            if (factor.starts_with('[')) {
                inner = sumOf(factor.substr(1, factor.size() - 2), operands);
            } else {
                operands.push_back(valueText(factor));
                inner = {{operands.size() - 1}};
            }
            Terms distributed;
            for (const auto& left : products) {
                for (const auto& right : inner) {
                    distributed.push_back(left);
                    distributed.back().insert(distributed.back().end(), right.begin(), right.end());
                }
            }
            products = std::move(distributed);
        }
        terms.insert(terms.end(), products.begin(), products.end());
    }
    return terms;
}

struct StringText {
    std::vector<ValueText> operands;
    Terms terms;
    std::vector<ValueText> results;
};

class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {
        for (const std::string_view each : splitTop(text, ';')) {
            const std::size_t arrow = each.find("->");
            require(arrow != std::string_view::npos, "has no arrow");
            StringText string;
            if (const auto left = trimmed(each.substr(0, arrow)); !left.empty()) {
                string.terms = sumOf(left, string.operands);
            }
            for (const std::string_view result : splitTop(trimmed(each.substr(arrow + 2)), ',')) {
                string.results.push_back(valueText(result));
            }
            strings_.push_back(std::move(string));
        }
        for (const StringText& string : strings_) {
            require(string.operands.size() == strings_.front().operands.size(),
                    "has strings of unequal numbers of operands");
        }
    }

    Rule read(std::span<const std::size_t> operandRanks, std::span<const std::size_t> resultRanks) {
        nameEllipsis(operandRanks, resultRanks);
        for (std::size_t k = 0; k < strings_.front().operands.size(); ++k) {
            rule_.operands.push_back(read(operandUsed(k)));
        }
        for (const StringText& string : strings_) {
            for (const ValueText& text : string.results) {
                RuleResult result{read(text), {}};
                for (const auto& term : string.terms) {
                    std::vector<std::size_t> used;
                    std::ranges::copy_if(term, std::back_inserter(used),
                                         [&](std::size_t k) { return string.operands[k].isUsed; });
                    if (!used.empty()) {
                        result.terms.push_back(std::move(used));
                    }
                }
                rule_.results.push_back(std::move(result));
            }
        }
        checkRanks(operandRanks, resultRanks);
        return std::move(rule_);
    }

private:
    void require(bool condition, const std::string& what) const {
        if (!condition) {
            throw Error(ErrorCode::bug, {}, fmt::format("placement string `{}` {}", text_, what),
                        "correct the op's placement string: its placements are wrong until then");
        }
    }

    /// Returns the operand as written in the first string that uses it.
    [[nodiscard]] const ValueText& operandUsed(std::size_t k) const {
        for (const StringText& string : strings_) {
            if (string.operands[k].isUsed) {
                return string.operands[k];
            }
        }
        return strings_.front().operands[k];
    }

    static bool hasEllipsis(const ValueText& value) {
        return std::ranges::find(value.dims, "...") != value.dims.end();
    }

    /// Determines how many dims `...` stands for, and their names.
    void nameEllipsis(std::span<const std::size_t> operandRanks,
                      std::span<const std::size_t> resultRanks) {
        bool isAlone = true;
        bool isKnown = false;
        std::size_t count = 0;
        const auto look = [&](const ValueText& value, std::size_t rank) {
            if (!hasEllipsis(value)) {
                return;
            }
            require(rank + 1 >= value.dims.size(), "names more dims than a value has");
            isAlone = isAlone && value.dims.size() == 1;
            if (!isKnown) {
                count = rank + 1 - value.dims.size();
            }
            isKnown = true;
        };
        require(operandRanks.size() == strings_.front().operands.size(),
                fmt::format("describes {} operands, not {}", strings_.front().operands.size(),
                            operandRanks.size()));
        for (std::size_t k = 0; k < operandRanks.size(); ++k) {
            look(operandUsed(k), operandRanks[k]);
        }
        std::size_t result = 0;
        for (const StringText& string : strings_) {
            for (const ValueText& value : string.results) {
                require(result < resultRanks.size(), "has too many results");
                look(value, resultRanks[result++]);
            }
        }
        require(result == resultRanks.size(), "has too few results");
        static const std::array<std::vector<std::string>, 6> alone{{{},
                                                                    {"b"},
                                                                    {"b", "o"},
                                                                    {"b", "t", "o"},
                                                                    {"b", "o", "y", "x"},
                                                                    {"b", "o", "z", "y", "x"}}};
        std::size_t next = 2;
        for (std::size_t k = 0; k < count; ++k) {
            std::string name = isAlone && count < alone.size() ? alone[count][k]
                               : k == 0                        ? "b"
                               : k == 1                        ? "t"
                                                               : fmt::format("e{}", next++);
            while (isNamed(name)) {
                name = fmt::format("e{}", next++);
            }
            ellipsis_.push_back(name);
        }
    }

    /// True if the string names that letter outside of `...`.
    [[nodiscard]] bool isNamed(const std::string& name) const {
        const auto names = [&](const ValueText& value) {
            return std::ranges::any_of(value.dims, [&](std::string_view dim) {
                std::size_t at = 0;
                const auto isSign = [](char c) {
                    return std::string_view("():/! ").find(c) != std::string_view::npos;
                };
                while ((at = dim.find(name, at)) != std::string_view::npos) {
                    const std::size_t end = at + name.size();
                    if ((at == 0 || isSign(dim[at - 1])) &&
                        (end == dim.size() || isSign(dim[end]))) {
                        return true;
                    }
                    ++at;
                }
                return false;
            });
        };
        return std::ranges::any_of(strings_, [&](const StringText& string) {
            return std::ranges::any_of(string.operands, names) ||
                   std::ranges::any_of(string.results, names);
        });
    }

    Letter letter(std::string_view name) {
        bool isWhole = false;
        if (name.ends_with('!')) {
            isWhole = true;
            name.remove_suffix(1);
        }
        require(!name.empty(), "has a dim without a letter");
        Letter found = rule_.find(name);
        if (found == noLetter) {
            found = static_cast<Letter>(rule_.letters.size());
            rule_.letters.push_back({std::string(name)});
        }
        auto& entry = rule_.letters[static_cast<std::size_t>(found)];
        entry.isWhole = entry.isWhole || isWhole;
        return found;
    }

    RuleDim dim(std::string_view word) {
        RuleDim read;
        if (word.starts_with('(')) {
            for (const std::string_view each : wordsOf(word.substr(1, word.size() - 2))) {
                read.letters.push_back(letter(each));
            }
            require(!read.letters.empty(), "has an empty composite");
            return read;
        }
        const std::size_t sign = word.find_first_of(":/");
        if (sign == std::string_view::npos) {
            read.letters = {letter(word)};
            return read;
        }
        read.kind = word[sign] == ':' ? RuleDim::Kind::window : RuleDim::Kind::reversed;
        const Letter moving = letter(word.substr(0, sign));
        const Letter tap = letter(word.substr(sign + 1));
        rule_.letters[static_cast<std::size_t>(moving)].isWindow = true;
        rule_.letters[static_cast<std::size_t>(tap)].isTap = true;
        read.letters = {moving, tap};
        return read;
    }

    RuleValue read(const ValueText& text) {
        RuleValue value{{}, text.isLinear, text.isMax};
        for (const std::string_view word : text.dims) {
            if (word == "...") {
                for (const std::string& name : ellipsis_) {
                    value.dims.push_back({RuleDim::Kind::plain, {letter(name)}});
                }
            } else {
                value.dims.push_back(dim(word));
            }
        }
        return value;
    }

    void checkRanks(std::span<const std::size_t> operandRanks,
                    std::span<const std::size_t> resultRanks) const {
        for (std::size_t k = 0; k < operandRanks.size(); ++k) {
            require(!operandUsed(k).isUsed || rule_.operands[k].dims.size() == operandRanks[k],
                    fmt::format("does not fit operand {} of rank {}", k, operandRanks[k]));
        }
        for (std::size_t k = 0; k < resultRanks.size(); ++k) {
            require(rule_.results[k].value.dims.size() == resultRanks[k],
                    fmt::format("does not fit result {} of rank {}", k, resultRanks[k]));
        }
    }

    std::string_view text_;
    std::vector<StringText> strings_;
    std::vector<std::string> ellipsis_;
    Rule rule_;
};

} // namespace

RuleValue::LetterPlace RuleValue::find(Letter letter) const {
    LetterPlace place;
    for (std::size_t k = 0; k < dims.size(); ++k) {
        const std::size_t count = dims[k].kind == RuleDim::Kind::plain ? dims[k].letters.size() : 1;
        for (std::size_t factor = 0; factor < count; ++factor) {
            if (dims[k].letters[factor] == letter) {
                place = place.dim == -1 ? LetterPlace{static_cast<int>(k), static_cast<int>(factor)}
                                        : LetterPlace{-2, 0};
            }
        }
    }
    return place;
}

Letter Rule::find(std::string_view name) const {
    const auto found = std::ranges::find(letters, name, &RuleLetter::name);
    return found == letters.end() ? noLetter : static_cast<Letter>(found - letters.begin());
}

Rule parseRule(std::string_view text, std::span<const std::size_t> operandRanks,
               std::span<const std::size_t> resultRanks) {
    return Reader(text).read(operandRanks, resultRanks);
}

std::vector<std::int64_t> sizesOf(const Rule& rule, std::span<const Shape* const> operands,
                                  std::span<const Shape* const> results,
                                  const std::map<std::string, std::int64_t>& given) {
    std::vector<std::int64_t> sizes(rule.letters.size(), 0);
    for (const auto& [name, size] : given) {
        if (const Letter letter = rule.find(name); letter != noLetter) {
            sizes[static_cast<std::size_t>(letter)] = size;
        }
    }
    bool moves = true;
    const auto look = [&](const RuleValue& value, const Shape& shape) {
        for (std::size_t k = 0; k < value.dims.size(); ++k) {
            if (value.dims[k].kind != RuleDim::Kind::plain) {
                continue;
            }
            std::int64_t known = 1;
            Letter missing = noLetter;
            int unknown = 0;
            for (const Letter letter : value.dims[k].letters) {
                const std::int64_t size = sizes[static_cast<std::size_t>(letter)];
                known *= size == 0 ? 1 : size;
                if (size == 0) {
                    missing = letter;
                    ++unknown;
                }
            }
            if (unknown == 1) {
                sizes[static_cast<std::size_t>(missing)] = shape[k] / known;
                moves = moves || shape[k] / known > 0;
            }
        }
    };
    while (moves) {
        moves = false;
        for (std::size_t k = 0; k < operands.size(); ++k) {
            look(rule.operands[k], *operands[k]);
        }
        for (std::size_t k = 0; k < results.size(); ++k) {
            look(rule.results[k].value, *results[k]);
        }
    }
    return sizes;
}

} // namespace weft
