// SPDX-License-Identifier: Apache-2.0
#include "place/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace weft {

namespace {

using Kind = Placement::Kind;

/// The dim in which each operand and result has the letter, or -1.
struct Places {
    std::vector<int> operands;
    std::vector<int> results;
};

/// Returns the dims that the letter splits. Returns nothing if a value does not allow splitting it:
/// the letter is a minor factor there or appears twice.
std::optional<Places> placesOf(const Rule& rule, std::span<const std::int64_t> sizes,
                               Letter letter) {
    Places places;
    const auto look = [&](const RuleValue& value, std::vector<int>& dims) {
        const RuleValue::LetterPlace place = value.find(letter);
        if (place.dim == -2) {
            return false;
        }
        dims.push_back(place.dim);
        if (place.dim < 0) {
            return true;
        }
        const RuleDim& dim = value.dims[static_cast<std::size_t>(place.dim)];
        for (int before = 0; before < place.indexInDim; ++before) {
            const auto factor =
                static_cast<std::size_t>(dim.letters[static_cast<std::size_t>(before)]);
            if (sizes[factor] != 1) {
                return false;
            }
        }
        return true;
    };
    const bool fits =
        std::ranges::all_of(rule.operands,
                            [&](const RuleValue& value) { return look(value, places.operands); }) &&
        std::ranges::all_of(rule.results, [&](const RuleResult& result) {
            return look(result.value, places.results);
        });
    return fits ? std::optional(places) : std::nullopt;
}

/// True if another factor of the letter's dim follows. If all factors have size one, the last is
/// split.
bool isBeforeFactor(const Rule& rule, Letter letter) {
    const auto inside = [&](const RuleValue& value) {
        return std::ranges::any_of(value.dims, [&](const RuleDim& dim) {
            return dim.kind == RuleDim::Kind::plain &&
                   std::ranges::find(dim.letters, letter) != dim.letters.end() &&
                   dim.letters.back() != letter;
        });
    };
    return std::ranges::any_of(rule.operands, inside) ||
           std::ranges::any_of(rule.results, inside, &RuleResult::value);
}

bool isLetterSplit(const Rule& rule, std::span<const std::int64_t> sizes, Letter letter,
                   UnitLetters units) {
    const RuleLetter& entry = rule.letters[static_cast<std::size_t>(letter)];
    if (entry.isWhole || entry.isTap) {
        return false;
    }
    const std::int64_t size = sizes[static_cast<std::size_t>(letter)];
    return size > 1 || (size == 1 && units == UnitLetters::keep && !isBeforeFactor(rule, letter));
}

/// Returns the placement of a result if the `isPartial` operands are Partial, or none if that would
/// be wrong.
std::optional<Kind> resultKind(const RuleResult& result, const Places& places, int own,
                               const std::vector<bool>& isPartial) {
    bool allZero = true;
    bool allOne = true;
    bool anyPartial = false;
    for (const auto& term : result.terms) {
        int score = 0;
        bool hasLetter = false;
        for (const std::size_t k : term) {
            hasLetter = hasLetter || places.operands[k] >= 0;
            score += isPartial[k] ? 1 : 0;
        }
        anyPartial = anyPartial || score > 0;
        score += hasLetter ? 1 : 0;
        allZero = allZero && score == 0;
        allOne = allOne && score == 1;
    }
    if (own >= 0) {
        return anyPartial ? std::nullopt : std::optional(Kind::split);
    }
    if (allZero) {
        return Kind::replicated;
    }
    if (!allOne || (result.value.isMax && (anyPartial || result.terms.size() != 1))) {
        return std::nullopt;
    }
    return result.value.isMax ? Kind::partialMax : Kind::partialSum;
}

std::optional<PlacementRow> rowOf(const Rule& rule, Letter letter, const Places& places,
                                  const std::vector<bool>& isPartial) {
    PlacementRow row{.letter = letter, .operands = {}, .results = {}};
    for (std::size_t k = 0; k < rule.operands.size(); ++k) {
        row.operands.push_back(places.operands[k] >= 0 ? Kind::split
                               : isPartial[k]          ? Kind::partialSum
                                                       : Kind::replicated);
    }
    for (std::size_t k = 0; k < rule.results.size(); ++k) {
        const auto kind = resultKind(rule.results[k], places, places.results[k], isPartial);
        if (!kind) {
            return std::nullopt;
        }
        row.results.push_back(*kind);
    }
    row.movesBorders =
        letter != noLetter && rule.letters[static_cast<std::size_t>(letter)].isWindow;
    return row;
}

/// Enumerates the choices of Partial operands that may be correct. For a sum of n terms only two of
/// 2^n are, so a choice is abandoned as soon as two terms disagree or one contains two Partial
/// factors.
class PartialChoices {
public:
    PartialChoices(const Rule& rule, const Places& places, std::vector<std::size_t> free)
        : free_(std::move(free)),
          termsOf_(rule.operands.size()),
          scoreOf_(rule.results.size(), unknown),
          isPartial_(rule.operands.size(), false) {
        std::vector<bool> isFree(rule.operands.size(), false);
        for (const std::size_t k : free_) {
            isFree[k] = true;
        }
        for (std::size_t r = 0; r < rule.results.size(); ++r) {
            for (const auto& operands : rule.results[r].terms) {
                Term term{.result = r, .isSplit = places.results[r] >= 0};
                for (const std::size_t k : operands) {
                    term.score = std::max(term.score, places.operands[k] >= 0 ? 1 : 0);
                    if (isFree[k]) {
                        ++term.open;
                        termsOf_[k].push_back(terms_.size());
                    }
                }
                if (term.open == 0 && !term.isSplit) {
                    scoreOf_[r] = term.score;
                }
                terms_.push_back(term);
            }
        }
    }

    /// Goes from the last operand to the first, so that choices come in the order of their bits.
    /// Not recursive, because a sum may have as many operands as a design has parameters.
    template <class Visit>
    void visit(const Visit& visit) {
        bool mayFit = true;
        while (true) {
            if (mayFit && made_.size() < free_.size()) {
                mayFit = choose(false);
                continue;
            }
            if (mayFit) {
                visit(isPartial_);
            }
            while (!made_.empty() && isPartial_[lastOperand()]) {
                takeBack();
            }
            if (made_.empty()) {
                return;
            }
            takeBack();
            mayFit = choose(true);
        }
    }

private:
    static constexpr int unknown = -1;

    /// A product of operands: how many are Partial or split so far, and how many are not chosen
    /// yet.
    struct Term {
        std::size_t result = 0;
        bool isSplit = false; ///< its result is split by the letter, so none may be Partial
        int score = 0;
        std::size_t open = 0;
    };

    [[nodiscard]] std::size_t lastOperand() const { return free_[free_.size() - made_.size()]; }

    /// Chooses a row for the next operand; false if no row fits.
    bool choose(bool partial) {
        made_.push_back(scoreOf_);
        isPartial_[lastOperand()] = partial;
        return take(lastOperand(), partial);
    }

    void takeBack() {
        const std::size_t operand = lastOperand();
        for (const std::size_t t : termsOf_[operand]) {
            terms_[t].score -= isPartial_[operand] ? 1 : 0;
            ++terms_[t].open;
        }
        isPartial_[operand] = false;
        scoreOf_ = std::move(made_.back());
        made_.pop_back();
    }

    /// True if the choice may still be correct.
    bool take(std::size_t operand, bool partial) {
        bool fits = true;
        for (const std::size_t t : termsOf_[operand]) {
            Term& term = terms_[t];
            term.score += partial ? 1 : 0;
            --term.open;
            if (term.isSplit) {
                fits = fits && !partial;
                continue;
            }
            int& known = scoreOf_[term.result];
            fits = fits && term.score <= 1 &&
                   (term.open > 0 || known == unknown || known == term.score);
            known = term.open == 0 ? term.score : known;
        }
        return fits;
    }

    std::vector<std::size_t> free_;
    std::vector<Term> terms_;
    std::vector<std::vector<std::size_t>> termsOf_; ///< per operand
    std::vector<int> scoreOf_; ///< per result: score of its terms that are chosen
    std::vector<bool> isPartial_;
    std::vector<std::vector<int>> made_; ///< per choice: the scores before it
};

} // namespace

bool PlacementRow::hasPartialOperand() const {
    return std::ranges::find(operands, Kind::partialSum) != operands.end();
}

int PlacementRow::partialCount() const {
    const auto isPartial = [](Kind kind) {
        return kind == Kind::partialSum || kind == Kind::partialMax;
    };
    return static_cast<int>(std::ranges::count_if(operands, isPartial) +
                            std::ranges::count_if(results, isPartial));
}

std::vector<PlacementRow> deriveRows(const Rule& rule, std::span<const std::int64_t> sizes,
                                     const std::vector<bool>& isInteger, UnitLetters units) {
    std::vector<PlacementRow> rows;
    const auto count = static_cast<Letter>(rule.letters.size());
    for (Letter letter = noLetter; letter < count; ++letter) {
        if (letter != noLetter && !isLetterSplit(rule, sizes, letter, units)) {
            continue;
        }
        const auto places = letter == noLetter ? Places{std::vector<int>(rule.operands.size(), -1),
                                                        std::vector<int>(rule.results.size(), -1)}
                                               : placesOf(rule, sizes, letter);
        if (!places) {
            continue;
        }
        std::vector<std::size_t> free;
        for (std::size_t k = 0; k < rule.operands.size(); ++k) {
            if (places->operands[k] < 0 && rule.operands[k].isLinear && !isInteger[k]) {
                free.push_back(k);
            }
        }
        PartialChoices(rule, *places, free).visit([&](const std::vector<bool>& isPartial) {
            auto row = rowOf(rule, letter, *places, isPartial);
            if (row && std::ranges::find(rows, *row) == rows.end()) {
                rows.push_back(std::move(*row));
            }
        });
    }
    return rows;
}

std::string toString(const Rule& rule, const PlacementRow& row) {
    const auto show = [&](Kind kind, const RuleValue& value) {
        switch (kind) {
        case Kind::replicated: return std::string("R");
        case Kind::partialSum: return std::string("P");
        case Kind::partialMax: return std::string("Pmax");
        case Kind::split: break;
        }
        return fmt::format("S({})", value.find(row.letter).dim);
    };
    std::string text;
    for (std::size_t k = 0; k < row.operands.size(); ++k) {
        text += (k == 0 ? "" : ", ") + show(row.operands[k], rule.operands[k]);
    }
    text += " -> ";
    for (std::size_t k = 0; k < row.results.size(); ++k) {
        text += (k == 0 ? "" : ", ") + show(row.results[k], rule.results[k].value);
    }
    return text;
}

} // namespace weft
