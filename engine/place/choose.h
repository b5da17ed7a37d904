// SPDX-License-Identifier: Apache-2.0
#pragma once
// Chooses for one node a row per mesh axis, and with it the placement of every operand and result.
// Chooses, of the rows that the assignment allows, the one with the cheapest changes of placement;
// on a tie, the one that leaves most operands unchanged. Answers are cached.

#include "place/rule_book.h"

#include <vector>

namespace weft {

struct RequestedPlacement {
    enum class Kind : std::uint8_t {
        follow,   ///< any row
        letter,   ///< the rows of one letter
        replicate ///< the row in which nothing is split or Partial
    };
    Kind kind = Kind::follow;
    Letter letter = noLetter;
    std::int64_t grain = 1;
};

struct OperandState {
    /// `slot` and `data` have no placement yet and may get any: a slot's home is where it is first
    /// used.
    enum class Freedom : std::uint8_t { placed, slot, data };
    Freedom freedom = Freedom::placed;
    TypeId type;
    std::vector<ShardingId> held; ///< placements in which it exists, its own first
    /// True in the forward pass: `follow` considers only the operand's own placement, not further
    /// ones that other consumers needed.
    bool followsOwn = false;
};

struct Question {
    const NodeRule* rule = nullptr;
    MeshId mesh;
    bool mayExpand = true;
    std::vector<RequestedPlacement> requested; ///< per mesh axis
    std::vector<OperandState> operands;
    std::vector<TypeId> results;
    /// The placement that a result shall have; none: any. The next value of a slot is computed at
    /// the slot's home. For a gradient this is only a tie breaker, so that examples are not
    /// gathered merely to avoid the sum of gradients.
    struct Wanted {
        ShardingId sharding;
        bool isTieBreaker = false;
    };
    std::vector<Wanted> wanted; ///< per result
};

struct Choice {
    struct Operand {
        ShardingId source; ///< none: it has no placement yet
        ShardingId target;
        bool operator==(const Operand&) const = default;
    };
    /// If set, the op must be replaced by its expansion for this letter, and all other fields are
    /// empty.
    Letter expands = noLetter;
    std::vector<Operand> operands;
    std::vector<ShardingId> results;
    std::vector<Letter> letters; ///< per mesh axis
    double nanoseconds = 0;      ///< cost of the changes of placement
    std::uint32_t number = 0;    ///< consecutive number of the question, from 0
};

class Chooser {
public:
    explicit Chooser(Shardings& shardings) : shardings_(shardings) {}

    const Choice& choose(const Question& question);

private:
    Shardings& shardings_;
    ByNumbers<Choice> known_;
    std::vector<std::uint64_t> key_; ///< member only to reuse its memory
};

} // namespace weft
