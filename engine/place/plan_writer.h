// SPDX-License-Identifier: Apache-2.0
#pragma once
// Writes a plan node by node: records in which placements each value exists, adds collectives for
// missing placements, and delays the reductions of parameter gradients until a bucket is full or a
// result is needed.

#include "place/place.h"
#include "place/shardings.h"

#include <span>
#include <string>
#include <vector>

namespace weft {

/// The reason for a change of placement. It names the collective and says where the window draws
/// it.
struct Errand {
    Origin from;
    Origin to;
    bool isBackward = false;
    ValueId value; ///< the forward value of the wire
    /// The node that needs it as an operand; nullptr: it is for the placement of a gradient, slot
    /// or result.
    const Node* consumer = nullptr;
    std::size_t operand = 0;
    std::string name = {}; ///< replaces the name made from value and consumer
    bool isSync = false;   ///< for sums over several updates
};

class PlanWriter {
public:
    PlanWriter(Shardings& shardings, double bucketMegabytes);

    struct Held {
        ShardingId sharding;
        PlacedId placed;
    };
    /// Returns the placements in which a value exists, in order of creation.
    [[nodiscard]] std::span<const Held> held(ValueId value) const { return held_[value.value]; }
    [[nodiscard]] ShardingId shardingOf(PlacedId placed) const { return plan_.at(placed).sharding; }
    [[nodiscard]] TypeId typeOf(ValueId value) const { return types_[value.value]; }
    [[nodiscard]] PlacedId find(ValueId value, ShardingId sharding) const;

    /// Makes room for values that were added to the graph.
    void grow(const Graph& graph);
    PlacedId addPlaced(ValueId value, ShardingId sharding, PlanNodeId producer);
    /// Adds the node of an op. Its operands must exist.
    void addOp(NodeId node, MeshId mesh, std::vector<PlacedId> inputs,
               const std::vector<ValueId>& results, const std::vector<ShardingId>& shardings,
               std::vector<std::string> letters);

    /// Returns the value in that placement, adding collectives if it does not exist yet.
    PlacedId bring(const Graph& graph, ValueId value, ShardingId target, const Errand& errand);
    PlacedId bring(const Graph& graph, ValueId value, ShardingId source, ShardingId target,
                   const Errand& errand);
    struct Order {
        ValueId value;
        ShardingId source;
        ShardingId target;
        Errand errand;
    };
    /// Lets sums of one node share an all-reduce if they are reduced along the same axes.
    void reduceTogether(const Graph& graph, const std::vector<Order>& orders);
    /// Brings the gradient of a slot as `bring` does, but delays an all-reduce for its bucket.
    PlacedId bringGradient(const Graph& graph, ValueId gradient, ShardingId target,
                           const Errand& errand);
    /// Writes the delayed reductions of these operands. In the backward pass writes only these, so
    /// that the bucket continues to fill; otherwise writes their whole buckets.
    void demand(const std::vector<PlacedId>& operands, bool isBackward);
    void flush();
    /// Makes several values Replicated, in one collective per kind where possible.
    std::vector<PlacedId> bringTogether(const Graph& graph, const std::vector<ValueId>& values,
                                        ShardingId target, const std::string& name);

    [[nodiscard]] Plan& plan() { return plan_; }
    /// Drops what nothing reads and returns the plan.
    [[nodiscard]] Plan take();

private:
    /// A delayed reduction.
    struct DelayedReduction {
        PlacedId input;
        PlacedId output;
        std::string name;
        Origin origin;
        std::int64_t bytes = 0;
    };
    /// Gradients that can share one all-reduce: same mesh, dtype and axes. Sums of a period and
    /// gradients of a step have separate buckets.
    struct Bucket {
        MeshId mesh;
        DType dtype = DType::f32;
        std::vector<bool> axes; ///< axes that are reduced
        bool isSync = false;
        std::int64_t bytes = 0;
        std::vector<DelayedReduction> reductions; ///< in the order of their outputs

        /// Removes and returns the reductions for the needed outputs; with `wantsAll`, all
        /// reductions if one is needed.
        [[nodiscard]] std::vector<DelayedReduction> takeOut(const std::vector<PlacedId>& asked,
                                                            bool wantsAll);
    };

    PlanNodeId addCollective(CollectiveKind kind, std::vector<PlacedId> inputs,
                             std::vector<PlacedId> outputs, std::string name, Origin origin);
    [[nodiscard]] std::string nameOf(const Graph& graph, const Errand& errand) const;
    Bucket& bucketFor(const Placed& source, const Placements& target, bool isSync);
    void flush(Bucket& bucket);
    /// Writes one all-reduce for all of them.
    void write(std::vector<DelayedReduction> reductions, bool isSync);

    Shardings& shardings_;
    std::int64_t bucketBytes_;
    Plan plan_;
    std::vector<std::vector<Held>> held_; ///< per value
    std::vector<TypeId> types_;           ///< per value
    std::vector<bool> isPending_;         ///< indexed by PlacedId
    std::vector<Bucket> buckets_;
    std::size_t bucketsWritten_ = 0;
    std::size_t syncsWritten_ = 0;
};

} // namespace weft
