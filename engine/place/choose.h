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
    Letter letter = noLetter; ///< for Kind::letter: which
    std::int64_t grain = 1;   ///< for Kind::letter: parts are multiples of it
};

struct OperandState { ///< in which placements an operand exists
    /// `slot` and `data` have no placement yet and may get any: a slot's home is where it is first
    /// used.
    enum class Freedom : std::uint8_t { placed, slot, data }; ///< slot, data: not placed yet
    Freedom freedom = Freedom::placed;
    TypeId type;                  ///< number of its dtype and shape
    std::vector<ShardingId> held; ///< placements in which it exists, its own first
    /// True in the forward pass: `follow` considers only the operand's own placement, not further
    /// ones that other consumers needed.
    bool followsOwn = false; ///< `follow` looks at its own placement only, not at copies
};

struct PlacementQuestion {          ///< a node to be placed
    const NodeRule* rule = nullptr; ///< placement rule of the op
    MeshId mesh;
    bool mayExpand = true;                     ///< the op may be replaced by its expansion
    std::vector<RequestedPlacement> requested; ///< per mesh axis
    std::vector<OperandState> operands;        ///< where each operand is
    std::vector<TypeId> results;               ///< number of each result's dtype and shape
    /// The placement that a result shall have; none: any. The next value of a slot is computed at
    /// the slot's home. For a gradient this is only a tie breaker, so that examples are not
    /// gathered merely to avoid the sum of gradients.
    struct WantedPlacement {
        ShardingId sharding;       ///< wanted placement; none: any
        bool isTieBreaker = false; ///< decides only between equal costs
    };
    std::vector<WantedPlacement> wanted; ///< per result
};

struct PlacementChoice { ///< the answer: placements of a node's operands and results
    struct Operand {
        ShardingId source; ///< none: it has no placement yet
        ShardingId target; ///< the placement that the op needs
        bool operator==(const Operand&) const = default;
    };
    /// If set, the op must be replaced by its expansion for this letter, and all other fields are
    /// empty.
    Letter expands = noLetter;       ///< the op must be replaced by its expansion for this letter
    std::vector<Operand> operands;   ///< placements of each operand, before and after its change
    std::vector<ShardingId> results; ///< placement of each result
    std::vector<Letter> letters;     ///< per mesh axis
    double nanoseconds = 0;          ///< cost of the changes of placement
    std::uint32_t number = 0;        ///< consecutive number of the question, from 0
};

class PlacementChooser {
public:
    explicit PlacementChooser(Shardings& shardings) : shardings_(shardings) {}

    const PlacementChoice& choose(const PlacementQuestion& question);

private:
    Shardings& shardings_;
    ByNumbers<PlacementChoice> known_; ///< cache of answers
    std::vector<std::uint64_t> key_;   ///< member only to reuse its memory
};

} // namespace weft
