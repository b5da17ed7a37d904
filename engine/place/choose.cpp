// SPDX-License-Identifier: Apache-2.0
#include "place/choose.h"

#include "place/axis_cuts.h"
#include <weft/error.h>

#include <algorithm>
#include <tuple>

namespace weft {

namespace {

using Kind = Placement::Kind;
using Freedom = OperandState::Freedom;

/// A row per axis.
using Rows = std::vector<const PlacementRow*>;

/// Cost of a result of a slot elsewhere than at the slot's home, larger than that of any change of
/// placement, because an op that writes a slot must do so in place.
constexpr double elsewhere = 1e15;

struct Score {
    double cost = 0;    ///< nanoseconds, including sums that are passed on
    double after = 0;   ///< nanoseconds to the results' wanted placements
    int splitsKept = 0; ///< axes on which an operand was already split as in the row
    double now = 0;     ///< nanoseconds to change the operands, before the op can run
    int unchanged = 0;  ///< operands whose placement does not change
    int partialCount = 0;

    [[nodiscard]] bool isBetterThan(const Score& other) const {
        if (const int order = compare(cost, other.cost); order != 0) {
            return order < 0;
        }
        if (const int order = compare(after, other.after); order != 0) {
            return order < 0;
        }
        if (splitsKept != other.splitsKept) {
            return splitsKept > other.splitsKept;
        }
        if (const int order = compare(now, other.now); order != 0) {
            return order < 0;
        }
        return std::tuple(-unchanged, partialCount) <
               std::tuple(-other.unchanged, other.partialCount);
    }

private:
    static int compare(double a, double b) {
        const double margin = 1e-9 * std::max(a, b) + 1e-6;
        return a < b - margin ? -1 : a > b + margin ? 1 : 0;
    }
};

class Choosing {
public:
    Choosing(Shardings& shardings, const PlacementQuestion& question)
        : shardings_(shardings),
          ask_(question),
          rule_(*question.rule),
          mesh_(shardings.at(ask_.mesh)) {}

    PlacementChoice run() {
        Rows rows;
        tryRows(rows);
        if (!hasBest_) {
            // Too few positions for the requested split: every member computes everything.
            alone_ = true;
            tryRows(rows);
        }
        ensure(hasBest_, "every node has a row in which nothing is split");
        if (ask_.mayExpand && rule_.op->expand && bestScore_.cost > 0) {
            if (const Letter letter = splitWholeLetter(); letter != noLetter) {
                return {.expands = letter};
            }
        }
        return std::move(best_);
    }

private:
    /// Tries all combinations of one candidate row per axis.
    void tryRows(Rows& rows) {
        const std::size_t axis = rows.size();
        if (axis == mesh_.axes()) {
            for (const CutsPerAxis& cuts : candidateCuts(shardings_, ask_, rows)) {
                tryPlacements(rows, cuts);
            }
            return;
        }
        const std::vector<bool> isActive = activeLetters(axis);
        const bool hasPartial = isHeldPartial(axis);
        for (const PlacementRow& row : rule_.rows) {
            if (isCandidate(row, axis, isActive, hasPartial)) {
                rows.push_back(&row);
                tryRows(rows);
                rows.pop_back();
            }
        }
    }

    [[nodiscard]] bool isCandidate(const PlacementRow& row, std::size_t axis,
                                   const std::vector<bool>& isActive, bool hasPartial) const {
        const RequestedPlacement& requested = ask_.requested[axis];
        if (requested.kind == RequestedPlacement::Kind::replicate || mesh_.shape[axis] == 1 ||
            alone_) {
            return row.letter == noLetter && !row.hasPartialOperand();
        }
        if (requested.kind == RequestedPlacement::Kind::letter) {
            return row.letter == requested.letter;
        }
        if (row.letter == noLetter) {
            return hasPartial || !row.hasPartialOperand();
        }
        return isActive[static_cast<std::size_t>(row.letter)];
    }

    [[nodiscard]] bool isHeldPartial(std::size_t axis) const {
        for (const OperandState& operand : ask_.operands) {
            for (const ShardingId id : operand.held) {
                const Sharding& sharding = shardings_.at(id);
                const auto isPartial = [](const Placement& p) { return p.isPartial(); };
                if (sharding.mesh == ask_.mesh
                        ? isPartial(sharding.placements[axis])
                        : std::ranges::any_of(sharding.placements, isPartial)) {
                    return true;
                }
            }
        }
        return false;
    }

    /// Returns the letters to try with `follow`: those on which an operand is split, or any letter
    /// if an operand exists only as a sum.
    [[nodiscard]] std::vector<bool> activeLetters(std::size_t axis) const {
        std::vector<bool> isActive(rule_.rule.letters.size(), false);
        for (std::size_t k = 0; k < ask_.operands.size(); ++k) {
            bool isOnlyPartial = !ask_.operands[k].held.empty();
            for (const ShardingId id : ask_.operands[k].held) {
                const Sharding& sharding = shardings_.at(id);
                const bool isHere = sharding.mesh == ask_.mesh;
                for (std::size_t a = 0; a < sharding.placements.size(); ++a) {
                    const Placement& placement = sharding.placements[a];
                    if (isHere && a != axis) {
                        continue;
                    }
                    isOnlyPartial = isOnlyPartial && placement.isPartial();
                    if (placement.isSplit()) {
                        markLetters(isActive, rule_.rule.operands[k], placement.dim);
                    }
                }
            }
            if (isOnlyPartial) {
                isActive.assign(isActive.size(), true);
            }
        }
        return isActive;
    }

    static void markLetters(std::vector<bool>& isActive, const RuleValue& value, int dim) {
        if (dim < static_cast<int>(value.dims.size())) {
            for (const Letter letter : value.dims[static_cast<std::size_t>(dim)].letters) {
                isActive[static_cast<std::size_t>(letter)] = true;
            }
        }
    }

    /// True if a member without a part would produce zeros although all must hold the result, or
    /// would leave out its share of a sum.
    [[nodiscard]] bool leavesSomebodyOut(const Rows& rows, const CutsPerAxis& cuts) const {
        for (std::size_t axis = 0; axis < rows.size(); ++axis) {
            const auto& results = rows[axis]->results;
            const bool needsAll = rows[axis]->letter != noLetter &&
                                  (rows[axis]->hasPartialOperand() ||
                                   std::ranges::find(results, Kind::replicated) != results.end());
            if (needsAll && hasEmptyPart(cuts[axis], mesh_.shape[axis])) {
                return true;
            }
        }
        return false;
    }

    void tryPlacements(const Rows& rows, const CutsPerAxis& cuts) {
        if (leavesSomebodyOut(rows, cuts)) {
            return;
        }
        PlacementChoice choice;
        Score score;
        for (std::size_t k = 0; k < ask_.operands.size(); ++k) {
            const ShardingId target = shardingOf(rule_.rule.operands[k], rows, cuts, k, true);
            addOperand(k, target, choice, score);
        }
        for (std::size_t axis = 0; axis < rows.size(); ++axis) {
            choice.letters.push_back(rows[axis]->letter);
            score.partialCount += rows[axis]->partialCount();
            score.splitsKept += keepsSplit(axis, choice) ? 1 : 0;
        }
        score.now = score.cost;
        choice.nanoseconds = score.cost;
        for (std::size_t k = 0; k < ask_.results.size(); ++k) {
            const ShardingId sharding =
                shardingOf(rule_.rule.results[k].value, rows, cuts, k, false);
            choice.results.push_back(sharding);
            score.cost += debtOf(rows, choice, k, sharding);
            if (const auto& [wanted, isTieBreaker] = ask_.wanted[k]; !wanted.isNone()) {
                const double cost =
                    shardings_.change(ask_.results[k], sharding, wanted).nanoseconds;
                if (isTieBreaker) {
                    score.after += cost;
                } else if (sharding != wanted) {
                    score.cost += elsewhere + cost;
                }
            }
        }
        if (!hasBest_ || score.isBetterThan(bestScore_)) {
            hasBest_ = true;
            best_ = std::move(choice);
            bestScore_ = score;
        }
    }

    void addOperand(std::size_t k, ShardingId target, PlacementChoice& choice, Score& score) {
        const OperandState& operand = ask_.operands[k];
        if (operand.freedom != Freedom::placed) {
            choice.operands.push_back({{}, target});
            return;
        }
        ShardingId best;
        double least = 0;
        for (const ShardingId held : operand.held) {
            const double cost = shardings_.change(operand.type, held, target).nanoseconds;
            if (best.isNone() || cost < least || (cost == least && held == target)) {
                best = held;
                least = cost;
            }
        }
        ensure(!best.isNone(), "an operand is placed before an op uses it");
        score.cost += least;
        score.unchanged += isTakenAsItIs(operand, {best, target}) ? 1 : 0;
        choice.operands.push_back({best, target});
    }

    static bool isTakenAsItIs(const OperandState& operand, const PlacementChoice::Operand& chosen) {
        return chosen.source == chosen.target && !chosen.source.isNone() &&
               (!operand.followsOwn || chosen.source == operand.held.front());
    }

    /// True if an operand with unchanged placement was split on that axis.
    [[nodiscard]] bool keepsSplit(std::size_t axis, const PlacementChoice& choice) const {
        for (std::size_t k = 0; k < choice.operands.size(); ++k) {
            if (isTakenAsItIs(ask_.operands[k], choice.operands[k]) &&
                shardings_.at(choice.operands[k].target).placements[axis].isSplit()) {
                return true;
            }
        }
        return false;
    }

    /// Returns the cost of completing sums that are passed on, or that begin where nothing was
    /// split.
    double debtOf(const Rows& rows, const PlacementChoice& choice, std::size_t result,
                  ShardingId sharding) {
        double debt = 0;
        for (std::size_t axis = 0; axis < rows.size(); ++axis) {
            const bool isOwed = rows[axis]->hasPartialOperand() ||
                                (ask_.requested[axis].kind == RequestedPlacement::Kind::follow &&
                                 !keepsSplit(axis, choice));
            if (isOwed && rows[axis]->results[result] == Kind::partialSum) {
                debt += shardings_.sumCompletionCost(ask_.results[result], sharding, axis);
            }
        }
        return debt;
    }

    ShardingId shardingOf(const RuleValue& value, const Rows& rows, const CutsPerAxis& cuts,
                          std::size_t k, bool isOperand) {
        Placements placements(rows.size());
        for (std::size_t axis = 0; axis < rows.size(); ++axis) {
            const Kind kind = isOperand ? rows[axis]->operands[k] : rows[axis]->results[k];
            placements[axis].kind = kind;
            if (kind == Kind::split) {
                placements[axis] = splitOf(rule_, value, rows[axis]->letter, cuts[axis]);
            }
        }
        return shardings_.sharding(ask_.mesh, placements);
    }

    /// Returns a letter that no row splits, but on which an operand is split while the axis
    /// follows.
    [[nodiscard]] Letter splitWholeLetter() const {
        for (std::size_t axis = 0; axis < mesh_.axes(); ++axis) {
            if (ask_.requested[axis].kind != RequestedPlacement::Kind::follow) {
                continue;
            }
            for (std::size_t k = 0; k < ask_.operands.size(); ++k) {
                for (const ShardingId id : ask_.operands[k].held) {
                    const Sharding& sharding = shardings_.at(id);
                    if (sharding.mesh != ask_.mesh || !sharding.placements[axis].isSplit()) {
                        continue;
                    }
                    const Letter letter =
                        majorFactorOf(rule_, rule_.rule.operands[k], sharding.placements[axis].dim);
                    if (rule_.rule.letters[static_cast<std::size_t>(letter)].isWhole) {
                        return letter;
                    }
                }
            }
        }
        return noLetter;
    }

    Shardings& shardings_;
    const PlacementQuestion& ask_;
    const NodeRule& rule_;
    const Mesh mesh_;
    PlacementChoice best_;
    Score bestScore_;
    bool hasBest_ = false;
    bool alone_ = false;
};

} // namespace

const PlacementChoice& PlacementChooser::choose(const PlacementQuestion& question) {
    key_.clear();
    key_.insert(key_.end(), {question.rule->id, question.mesh.value,
                             question.mayExpand ? std::uint64_t{1} : 0});
    for (const RequestedPlacement& requested : question.requested) {
        key_.push_back(static_cast<std::uint64_t>(requested.kind));
        key_.push_back(static_cast<std::uint64_t>(requested.letter));
        key_.push_back(static_cast<std::uint64_t>(requested.grain));
    }
    for (const auto& [wanted, isTieBreaker] : question.wanted) {
        key_.push_back(wanted.value * std::uint64_t{2} + (isTieBreaker ? 1 : 0));
    }
    for (const OperandState& operand : question.operands) {
        key_.push_back(static_cast<std::uint64_t>(operand.freedom) +
                       (operand.followsOwn ? 4U : 0U) + 8 * operand.held.size());
        key_.push_back(operand.type.value);
        for (const ShardingId id : operand.held) {
            key_.push_back(id.value);
        }
    }
    const auto found = known_.find(key_);
    if (found != known_.end()) {
        return found->second;
    }
    PlacementChoice choice = Choosing(shardings_, question).run();
    choice.number = static_cast<std::uint32_t>(known_.size());
    return known_.emplace(key_, std::move(choice)).first->second;
}

} // namespace weft
