// SPDX-License-Identifier: Apache-2.0
#pragma once
// The choice for one node: a row per mesh axis, and with it the placement of every operand and
// result. Among the rows that the requested leave, the one whose operands cost least to bring; on a
// tie the one that leaves most as it is. Equal questions are answered once.

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
    /// An operand without a placement yet may get any: a slot's home is where it is first used.
    enum class Freedom : std::uint8_t { placed, slot, data };
    Freedom freedom = Freedom::placed;
    TypeId type;
    std::vector<ShardingId> held; ///< placements in which it exists, its own first
    /// True in the forward pass: to follow means as it came, not as somebody else had it cut.
    bool followsOwn = false;
};

struct Question {
    const NodeRule* rule = nullptr;
    MeshId mesh;
    bool mayExpand = true;
    std::vector<RequestedPlacement> requested; ///< per mesh axis
    std::vector<OperandState> operands;
    std::vector<TypeId> results;
    /// Where a result is to be; none: wherever. What a slot becomes is made at its home. For a
    /// gradient, which is brought there, it breaks ties: to gather the examples so as not to add
    /// gradients is not what anybody asked for.
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
    /// The op is to be replaced by its meaning in smaller ops, for this letter; all else is empty.
    Letter expands = noLetter;
    std::vector<Operand> operands;
    std::vector<ShardingId> results;
    std::vector<Letter> letters; ///< per mesh axis
    double nanoseconds = 0;      ///< of the changes of placement it needs
    std::uint32_t number = 0;    ///< counted from 0 as questions come
};

class Chooser {
public:
    explicit Chooser(Shardings& shardings) : shardings_(shardings) {}

    const Choice& choose(const Question& question);

private:
    Shardings& shardings_;
    ByNumbers<Choice> known_;
    std::vector<std::uint64_t> key_; ///< kept for its memory
};

} // namespace weft
