// SPDX-License-Identifier: Apache-2.0
#pragma once
// Writes a plan node by node: keeps under which placements each value exists, brings a value to
// another one where it is not there yet, and holds back the reductions of parameters' gradients
// until a bucket is full or somebody asks.

#include "place/held_list.h"
#include "place/place.h"
#include "place/spreads.h"

#include <string>
#include <vector>

namespace weft {

/// Why a value is brought somewhere: what names the collective and where the window draws it.
struct Errand {
    Origin from;
    Origin to;
    bool isBackward = false;
    ValueId value; ///< the forward value whose wire this is
    /// For whom: the operand of a node; none: for the placement of a gradient, slot or result.
    const Node* consumer = nullptr;
    std::size_t operand = 0;
    std::string name = {}; ///< instead of one made from value and consumer
};

class PlanWriter {
public:
    PlanWriter(Spreads& spreads, double bucketMegabytes);

    using Held = HeldList::Held;
    /// Under which placements a value exists, in the order in which they came about.
    [[nodiscard]] const HeldList& held(ValueId value) const { return held_[value.value]; }
    [[nodiscard]] SpreadId spreadOf(PlacedId placed) const { return plan_.at(placed).spread; }
    [[nodiscard]] TypeId typeOf(ValueId value) const { return types_[value.value]; }
    [[nodiscard]] PlacedId find(ValueId value, SpreadId spread) const;

    /// Types of values are those of the last plan's; `then`: by value, as it was called.
    void takeTypes(const PlanWriter& last, const Graph& graph, const std::vector<ValueId>& then);
    /// Makes room for values that the graph has gained.
    void grow(const Graph& graph);
    PlacedId addPlaced(ValueId value, SpreadId spread, PlanNodeId producer);
    /// The node of an op; its operands must be there.
    void addOp(NodeId node, MeshId mesh, std::vector<PlacedId> inputs,
               const std::vector<ValueId>& results, const std::vector<SpreadId>& spreads,
               std::vector<std::string> letters);

    /// The value under that placement, by collectives where it is not there yet.
    PlacedId bring(const Graph& graph, ValueId value, SpreadId target, const Errand& errand);
    PlacedId bring(const Graph& graph, ValueId value, SpreadId source, SpreadId target,
                   const Errand& errand);
    struct Order {
        ValueId value;
        SpreadId source;
        SpreadId target;
        Errand errand;
    };
    /// Of what one node asks for, sums that need one all-reduce along the same axes share it.
    void reduceTogether(const Graph& graph, const std::vector<Order>& orders);
    /// The same for the gradient of a slot: an all-reduce is held back for its bucket.
    PlacedId bringGradient(const Graph& graph, ValueId gradient, SpreadId target,
                           const Errand& errand);
    /// Ends the reductions held back for these operands: of only those in the backward pass, so
    /// that the bucket goes on filling; else of their whole buckets.
    void demand(const std::vector<PlacedId>& operands, bool isBackward);
    void flush();
    /// Several values that are to be Replicated, in one collective per kind where that serves.
    std::vector<PlacedId> bringTogether(const Graph& graph, const std::vector<ValueId>& values,
                                        SpreadId target, const std::string& name);

    [[nodiscard]] Plan& plan() { return plan_; }
    /// By node: collectives whose results nobody reads. Empty: there are none.
    [[nodiscard]] std::vector<bool> findUnread() const;
    /// Drops what nobody reads; hands the plan out.
    [[nodiscard]] Plan take();

    // A step is what one node of the graph leaves behind. The next placing takes over those that
    // it would repeat.
    struct Mark {
        std::uint32_t placed = 0;
        std::uint32_t nodes = 0;
        std::uint32_t traffic = 0;
        std::uint32_t waits = 0;
    };
    /// Begins the step of that number; where it begins.
    Mark beginStep(std::uint32_t step);
    [[nodiscard]] Mark mark() const;
    /// False when the step did something whose place among the others depends on how full buckets
    /// are: it cannot be taken over.
    [[nodiscard]] bool isPlain() const { return isPlain_; }
    struct Taking {
        PlanWriter* last = nullptr;
        Mark from, to;
        const std::vector<ValueId>* values = nullptr; ///< as they were called -> as they are
        std::uint32_t firstNode = 0; ///< of the graph: of the step, as it was called
        NodeId node;                 ///< and as it is
        bool isBackward = false;
        bool readsHeldBack = false; ///< reductions that were or are held back
    };
    void takeOver(const Taking& taking);
    /// Whether a value is held as it was before that step of the last plan.
    [[nodiscard]] bool isHeldAs(ValueId value, const PlanWriter& last, ValueId then,
                                std::uint32_t step) const;
    /// Whether a step, of which something was expanded, read what a bucket brings.
    [[nodiscard]] bool readsBuckets(const Mark& from, const Mark& to) const;

private:
    /// Gradients of one mesh and dtype that wait to be reduced along the same axes.
    struct Bucket {
        MeshId mesh;
        DType dtype = DType::f32;
        std::vector<bool> axes; ///< that are reduced
        std::int64_t bytes = 0;
        struct Entry {
            PlacedId input;
            PlacedId output;
            std::size_t wait = 0; ///< which says what it is called
            std::int64_t bytes = 0;
        };
        std::vector<Entry> entries;

        /// Those whose outputs are asked for; of those asked for at the end of a step, all.
        std::vector<Entry> takeOut(const std::vector<PlacedId>& asked, bool wantsAll);
    };

    /// A reduction that was held back, whether or not it still is.
    struct Wait {
        PlacedId input;
        PlacedId output;
        std::string name;
        Origin origin;
    };
    PlacedId hold(PlacedId input, ValueId gradient, SpreadId target, std::string name,
                  Origin origin);
    PlacedId translate(const Taking& taking, PlacedId then);
    void demandFor(const Taking& taking);
    void takeNode(const Taking& taking, PlanNodeId id, std::uint32_t& traffic);

    PlanNodeId addCollective(CollectiveKind kind, std::vector<PlacedId> inputs,
                             std::vector<PlacedId> outputs, std::string name, Origin origin);
    [[nodiscard]] std::string nameOf(const Graph& graph, const Errand& errand) const;
    Bucket& bucketFor(const Placed& source, const Placements& target, DType dtype);
    void flush(Bucket& bucket);
    /// One all-reduce of them all.
    void write(std::vector<Bucket::Entry> now);

    Spreads& spreads_;
    std::int64_t bucketBytes_;
    Plan plan_;
    std::vector<HeldList> held_;   ///< by value
    std::vector<TypeId> types_;    ///< by value
    std::vector<bool> isPending_;  ///< by PlacedId
    std::vector<bool> isHeldBack_; ///< by PlacedId: it is or was pending
    std::vector<Wait> waits_;
    std::vector<bool> isBucket_;   ///< by PlanNodeId: it ends reductions held back
    std::vector<PlacedId> nowOf_;  ///< by PlacedId of the last plan
    std::vector<PlacedId> needed_; ///< of one step; kept for its memory
    std::uint32_t step_ = 0;
    Mark begin_;
    bool isPlain_ = true;
    std::vector<Bucket> buckets_;
    std::size_t bucketsWritten_ = 0;
};

} // namespace weft
