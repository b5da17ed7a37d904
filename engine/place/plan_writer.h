// SPDX-License-Identifier: Apache-2.0
#pragma once
// Writes a plan node by node: keeps under which placements each value exists, brings a value to
// another one where it is not there yet, and holds back the reductions of parameters' gradients
// until a bucket is full or somebody asks.

#include "place/held_list.h"
#include "place/place.h"
#include "place/spreads.h"

#include <span>
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
    [[nodiscard]] std::span<const Held> held(ValueId value) const;
    [[nodiscard]] SpreadId spreadOf(PlacedId placed) const { return plan_.at(placed).spread; }
    [[nodiscard]] TypeId typeOf(ValueId value) const { return types_[value.value]; }
    [[nodiscard]] PlacedId find(ValueId value, SpreadId spread) const;

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
    /// Drops what nobody reads; hands the plan out.
    [[nodiscard]] Plan take();

    // A step is what one node of the graph leaves behind. A plan that is kept is never put in
    // order: the next one leaves the steps that it would repeat where they are and writes the
    // others at the end. The order is written down beside it.
    /// Goes on with an earlier plan: nothing of it counts until its step is taken or written anew.
    void follow(PlanWriter& last);
    /// The nodes that count, in order, without collectives whose results nobody reads.
    [[nodiscard]] std::vector<PlanNodeId> order() const;
    /// More of it counts than does not.
    [[nodiscard]] bool isWorthKeeping() const;

    using StepNumber = std::uint32_t;
    [[nodiscard]] StepNumber newStep();
    /// What is written from now on is this step's; what it left behind before is forgotten.
    void beginStep(StepNumber number);
    /// `isExpanded`: of its node smaller ones were made.
    void endStep(bool isExpanded);
    /// A step that is not there any more.
    void drop(StepNumber number);
    /// Whether it can be taken as it is, if what it reads is held as it was.
    [[nodiscard]] bool canTake(StepNumber number) const;
    void take(StepNumber number, bool isBackward);
    /// What it settled without making it: homes and feeds.
    [[nodiscard]] std::span<const PlacedId> settledBy(StepNumber step) const;
    /// Whether a value is held otherwise than it was when the last plan had come this far.
    [[nodiscard]] bool isTouched(ValueId value) const { return isTouched_[value.value]; }
    void touch(ValueId value) { isTouched_[value.value] = true; }

private:
    /// Gradients that wait for one all-reduce can share it: of one mesh and dtype, along the same
    /// axes.
    struct BucketKind {
        MeshId mesh;
        DType dtype = DType::f32;
        std::vector<bool> axes; ///< that are reduced
        bool operator==(const BucketKind&) const = default;
    };
    struct Bucket {
        std::size_t kind = 0;
        std::int64_t bytes = 0;
        std::vector<std::size_t> waits;
    };

    /// A reduction that was held back, whether or not it still is.
    struct Wait {
        PlacedId input;
        PlacedId output;
        std::string name;
        Origin origin;
        std::size_t kind = 0; ///< of its bucket
        std::int64_t bytes = 0;
    };
    PlacedId hold(PlacedId input, ValueId gradient, SpreadId target, std::string name,
                  Origin origin);
    struct Step {
        std::uint32_t placed = 0, placedEnd = 0; ///< in `members_`
        std::uint32_t nodes = 0, nodesEnd = 0;   ///< those of buckets among them are nobody's
        std::uint32_t waits = 0, waitsEnd = 0;
        std::uint32_t round = 0; ///< of plans in which it counted last
        bool isPlain = false;    ///< nothing of it depends on how full buckets are
        bool readsHeldBack = false;
        bool settles = false;
    };
    [[nodiscard]] std::span<const PlacedId> membersOf(const Step& step) const {
        return std::span(members_).subspan(step.placed, step.placedEnd - step.placed);
    }
    void forget(const Step& step);
    [[nodiscard]] PlacedId reused(ValueId value, SpreadId spread);
    [[nodiscard]] bool isOfThisStep(PlacedId placed) const;
    void fill(std::size_t number);
    void demandFor(const Step& step, bool isBackward);

    PlanNodeId addCollective(CollectiveKind kind, std::vector<PlacedId> inputs,
                             std::vector<PlacedId> outputs, std::string name, Origin origin);
    [[nodiscard]] std::string nameOf(const Graph& graph, const Errand& errand) const;
    [[nodiscard]] std::size_t kindOf(const Placed& source, const Placed& target);
    Bucket& bucketOf(std::size_t kind);
    /// The waits whose outputs are asked for; or all, if one is.
    [[nodiscard]] std::vector<std::size_t>
    takeOut(Bucket& bucket, const std::vector<PlacedId>& asked, bool wantsAll) const;
    void flush(Bucket& bucket);
    /// One all-reduce of them all.
    void write(const std::vector<std::size_t>& waits);
    [[nodiscard]] bool writeAsBefore(const std::vector<PlacedId>& inputs,
                                     const std::vector<PlacedId>& outputs, const std::string& name);

    Spreads& spreads_;
    std::int64_t bucketBytes_;
    Plan plan_;
    std::vector<HeldList> held_;   ///< by value
    std::vector<TypeId> types_;    ///< by value
    std::vector<bool> isPending_;  ///< by PlacedId
    std::vector<bool> isHeldBack_; ///< by PlacedId: it is or was pending
    std::vector<Wait> waits_;
    enum class NodeState : std::uint8_t { ofStep, ofBucket, dropped };
    std::vector<NodeState> states_; ///< by PlanNodeId
    std::vector<PlanNodeId> bucketNodes_;
    std::vector<PlanNodeId> order_;
    std::vector<PlacedId> members_; ///< of steps, each's together
    std::uint32_t round_ = 1;       ///< of plans that went on with each other
    std::vector<Step> steps_;       ///< the first is what is there before all others
    std::vector<bool> isTouched_;   ///< by value
    std::vector<PlacedId> needed_;  ///< of one step; kept for its memory
    std::vector<PlacedId> before_;  ///< what the open step had placed
    std::vector<bool> wasHeldBack_; ///< by position in it
    StepNumber step_ = 0;
    bool isPlain_ = true;
    std::vector<BucketKind> kinds_;
    std::vector<Bucket> buckets_;
    std::size_t bucketsWritten_ = 0;
};

} // namespace weft
