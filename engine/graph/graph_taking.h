// SPDX-License-Identifier: Apache-2.0
#pragma once
// Takes over parts of an earlier graph while the next one is made: nodes, values and slots are
// moved, and what they are called is translated. A part can be taken over when all that it reads is
// known; what is made anew in the place of something of the same type and name is known too.

#include "graph/graph.h"

#include <string>
#include <vector>

namespace weft {

class GraphTaking {
public:
    explicit GraphTaking(Graph& last)
        : last_(last), now_(last.values.size()), slotNow_(last.slots.size()) {}

    /// The graph that is being made: said again when it has moved.
    void into(Graph& next) { next_ = &next; }

    /// How much there is: a part begins at one and ends at another.
    struct Mark {
        std::uint32_t values = 0;
        std::uint32_t nodes = 0;
        std::uint32_t slots = 0;
        std::uint32_t feeds = 0;
        std::uint32_t results = 0;
    };
    [[nodiscard]] static Mark markOf(const Graph& graph);

    [[nodiscard]] Graph& last() { return last_; }
    /// None: it is gone, or not known yet.
    [[nodiscard]] ValueId now(ValueId then) const { return now_[then.value]; }
    [[nodiscard]] SlotId now(SlotId then) const { return slotNow_[then.value]; }
    /// Both none, or the same.
    [[nodiscard]] bool isSame(ValueId now, ValueId then) const {
        return then.isNone() ? now.isNone() : now_[then.value] == now;
    }
    /// None: it was made anew.
    [[nodiscard]] NodeId then(NodeId now) const {
        return now.value < then_.size() ? then_[now.value] : NodeId{};
    }
    [[nodiscard]] SlotId then(SlotId now) const {
        return now.value < slotThen_.size() ? slotThen_[now.value] : SlotId{};
    }
    [[nodiscard]] ValueId then(ValueId now) const {
        return now.value < valueThen_.size() ? valueThen_[now.value] : ValueId{};
    }

    /// Whether the nodes of a part read nothing but what is known or in the part, and are no
    /// repeats.
    [[nodiscard]] bool canTake(const Mark& from, const Mark& to) const;
    void take(const Mark& from, const Mark& to);
    /// Made anew, but of the same type and name; if it is, and nothing else is it already.
    void pair(ValueId then, ValueId now);
    /// The same of two feeds of that name.
    void pairFeed(const std::string& name);
    /// It has another name now, so that the node that makes it is another too.
    void forget(ValueId now);

    /// What was taken over, for whoever goes on with both graphs.
    [[nodiscard]] std::vector<ValueId> takeValues() { return std::move(now_); }
    [[nodiscard]] std::vector<NodeId> takeNodes();

private:
    void set(ValueId then, ValueId now);
    void takeSlot(Slot& slot, const Mark& from, const Mark& to);

    Graph& last_;
    Graph* next_ = nullptr;
    std::vector<ValueId> now_;       ///< by value then
    std::vector<ValueId> valueThen_; ///< by value now
    std::vector<bool> isMoved_;      ///< by value now
    std::vector<NodeId> then_;       ///< by node now
    std::vector<SlotId> slotNow_;    ///< by slot then
    std::vector<SlotId> slotThen_;   ///< by slot now
};

} // namespace weft
