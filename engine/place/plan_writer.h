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
struct ChangeReason {
    Origin from;             ///< the layer that computes the value
    Origin to;               ///< the layer that needs the value
    bool isBackward = false; ///< it is a gradient, or for the backward pass
    ValueId value;           ///< the forward value of the wire
    /// The node that needs it as an operand; nullptr: it is for the placement of a gradient, slot
    /// or result.
    const Node* consumer = nullptr; ///< node that needs it; nullptr: a slot, result or gradient
    std::size_t operand = 0;        ///< index among the consumer's operands
    std::string name = {};          ///< replaces the name made from value and consumer
    bool isSync = false;            ///< for sums over several updates
};

class PlanWriter {
public:
    PlanWriter(Shardings& shardings, double bucketMegabytes);

    struct ExistingPlacement {
        ShardingId sharding; ///< placement
        PlacedId placed;     ///< the value in that placement
    };
    /// Returns the placements in which a value exists, in order of creation.
    [[nodiscard]] std::span<const ExistingPlacement> placementsOf(ValueId value) const {
        return existing_[value.value];
    }
    [[nodiscard]] ShardingId shardingOf(PlacedId placed) const { return plan_.at(placed).sharding; }
    [[nodiscard]] TypeId typeOf(ValueId value) const { return types_[value.value]; }
    [[nodiscard]] PlacedId find(ValueId value, ShardingId sharding) const; ///< none: not there yet

    void grow(const Graph& graph); ///< makes room for values added to the graph
    PlacedId addPlaced(ValueId value, ShardingId sharding, PlanNodeId producer);
    /// Adds the node of an op. Its operands must exist.
    void addOp(NodeId node, MeshId mesh, std::vector<PlacedId> inputs,
               const std::vector<ValueId>& results, const std::vector<ShardingId>& shardings,
               std::vector<std::string> letters);

    /// Returns the value in that placement, adding collectives if it does not exist yet.
    PlacedId bring(const Graph& graph, ValueId value, ShardingId target,
                   const ChangeReason& reason);
    PlacedId bring(const Graph& graph, ValueId value, ShardingId source, ShardingId target,
                   const ChangeReason& reason);
    struct OrderedChange {
        ValueId value;
        ShardingId source;
        ShardingId target;
        ChangeReason reason;
    };
    /// Lets sums of one node share an all-reduce if they are reduced along the same axes.
    void reduceTogether(const Graph& graph, const std::vector<OrderedChange>& changes);
    /// Brings the gradient of a slot as `bring` does, but delays an all-reduce for its bucket.
    PlacedId bringGradient(const Graph& graph, ValueId gradient, ShardingId target,
                           const ChangeReason& reason);
    /// Writes the delayed reductions of these operands. In the backward pass writes only these, so
    /// that the bucket continues to fill; otherwise writes their whole buckets.
    void reduceFor(const std::vector<PlacedId>& operands, bool isBackward);
    void flush(); ///< writes all delayed reductions
    /// Makes several values Replicated, in one collective per kind where possible.
    std::vector<PlacedId> bringTogether(const Graph& graph, const std::vector<ValueId>& values,
                                        ShardingId target, const std::string& name);

    [[nodiscard]] Plan& plan() { return plan_; } ///< the plan so far
    [[nodiscard]] Plan take();                   ///< the plan without values that nothing reads

private:
    /// A delayed reduction.
    struct DelayedReduction {
        PlacedId input;  ///< the Partial value
        PlacedId output; ///< the sum
        std::string name;
        Origin origin; ///< the layer that needs the sum
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
        [[nodiscard]] std::vector<DelayedReduction> extract(const std::vector<PlacedId>& asked,
                                                            bool wantsAll);
    };

    PlanNodeId addCollective(CollectiveKind kind, std::vector<PlacedId> inputs,
                             std::vector<PlacedId> outputs, std::string name, Origin origin);
    [[nodiscard]] std::string nameOf(const Graph& graph, const ChangeReason& reason) const;
    Bucket& bucketFor(const Placed& source, const Placements& target, bool isSync);
    void flush(Bucket& bucket); ///< writes the delayed reductions of the bucket
    /// Writes one all-reduce for all of them.
    void write(std::vector<DelayedReduction> reductions, bool isSync);

    Shardings& shardings_;
    std::int64_t bucketBytes_; ///< size at which a bucket is written
    Plan plan_;
    std::vector<std::vector<ExistingPlacement>> existing_; ///< per value
    std::vector<TypeId> types_;                            ///< per value
    std::vector<bool> isPending_;    ///< indexed by PlacedId: its reduction is delayed
    std::vector<Bucket> buckets_;    ///< reductions that wait for others
    std::size_t bucketsWritten_ = 0; ///< numbers gradient buckets in names
    std::size_t syncsWritten_ = 0;   ///< numbers buckets of sums over updates in names
};

} // namespace weft
