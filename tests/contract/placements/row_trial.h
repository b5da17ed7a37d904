// SPDX-License-Identifier: Apache-2.0
#pragma once
// One op with one of its samples, run as if its operands lay on a mesh: split on letters, whole on
// every member, or in unequal shares of a sum. Each member runs the reference kernel on its part;
// then one asks what the results amount to. No planner takes part.

#include "place/rule_book.h"
#include "support/op_case.h"

#include <optional>
#include <random>
#include <vector>

namespace weft::test {

/// One mesh axis: so many members, the letter that is split, how operands and results lie.
struct TrialAxis {
    std::int64_t parts = 2;
    Letter letter = noLetter;
    std::vector<Placement::Kind> operands;
    std::vector<Placement::Kind> results = {}; ///< empty: to be found out
    bool isSkewed = false;                     ///< small first parts in place of balanced ones
};

class RowTrial {
public:
    RowTrial(const OpList& ops, OpCase one, Oracle& oracle);

    [[nodiscard]] const OpCase& opCase() const { return case_; }
    [[nodiscard]] const NodeRule& rule() const { return *rule_; }
    /// All rows, those that move borders too.
    [[nodiscard]] const std::vector<PlacementRow>& rows() const { return rows_; }
    /// The whole values are known and finite: there is something to compare with.
    [[nodiscard]] bool isComparable() const;
    /// Zero is the sum of zeros: it tells nothing of shares.
    [[nodiscard]] bool hasZeroResult() const;

    /// Runs all members. Empty when it can be told that nobody may: a member without a part would
    /// have to make a whole result.
    struct Outcome {
        bool isRun = false;
        /// Per result, which kinds reproduce the whole value; only of one axis.
        std::vector<std::vector<Placement::Kind>> fitting;
        /// The results put together as the axes say; how far they are from the whole.
        std::vector<double> differences;
    };
    [[nodiscard]] Outcome run(const std::vector<TrialAxis>& axes, unsigned seed);

private:
    using Range = std::pair<std::int64_t, std::int64_t>;
    struct Member {
        std::vector<std::int64_t> coordinates;
        std::vector<std::optional<Range>> ranges; ///< by letter
        std::vector<Tensor> results;
    };

    std::vector<Member> members(const std::vector<TrialAxis>& axes) const;
    [[nodiscard]] Box boxOf(const RuleValue& value, const Shape& whole, const Member& member) const;
    [[nodiscard]] Range needed(Letter letter, RuleDim::Kind kind, Range range,
                               std::int64_t size) const;
    Tensor shareOf(std::size_t operand, const std::vector<TrialAxis>& axes, const Member& member,
                   unsigned seed) const;
    bool compute(const std::vector<TrialAxis>& axes, Member& member, unsigned seed);
    [[nodiscard]] double difference(std::size_t result, const std::vector<Placement::Kind>& kinds,
                                    const std::vector<Member>& members) const;

    OpCase case_;
    Oracle& oracle_;
    Graph graph_;
    RuleBook book_;
    const NodeRule* rule_ = nullptr;
    std::vector<PlacementRow> rows_;
    std::vector<Window> windows_;
    std::vector<Tensor> whole_;
};

} // namespace weft::test
