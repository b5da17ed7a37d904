// SPDX-License-Identifier: Apache-2.0
#pragma once
// Writes a plan node by node: keeps under which placements each value exists, brings a value to
// another one where it is not there yet, and holds back the reductions of parameters' gradients
// until a bucket is full or somebody asks.

#include "place/place.h"
#include "place/shardings.h"

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
    bool isSync = false;   ///< of what was summed up over several updates
};

class PlanWriter {
public:
    PlanWriter(Shardings& shardings, double bucketMegabytes);

    struct Held {
        ShardingId sharding;
        PlacedId placed;
    };
    /// Under which placements a value exists, in the order in which they came about.
    [[nodiscard]] std::span<const Held> held(ValueId value) const { return held_[value.value]; }
    [[nodiscard]] ShardingId shardingOf(PlacedId placed) const { return plan_.at(placed).sharding; }
    [[nodiscard]] TypeId typeOf(ValueId value) const { return types_[value.value]; }
    [[nodiscard]] PlacedId find(ValueId value, ShardingId sharding) const;

    /// Makes room for values that the graph has gained.
    void grow(const Graph& graph);
    PlacedId addPlaced(ValueId value, ShardingId sharding, PlanNodeId producer);
    /// The node of an op; its operands must be there.
    void addOp(NodeId node, MeshId mesh, std::vector<PlacedId> inputs,
               const std::vector<ValueId>& results, const std::vector<ShardingId>& shardings,
               std::vector<std::string> letters);

    /// The value under that placement, by collectives where it is not there yet.
    PlacedId bring(const Graph& graph, ValueId value, ShardingId target, const Errand& errand);
    PlacedId bring(const Graph& graph, ValueId value, ShardingId source, ShardingId target,
                   const Errand& errand);
    struct Order {
        ValueId value;
        ShardingId source;
        ShardingId target;
        Errand errand;
    };
    /// Sums of one node that need an all-reduce along the same axes share it.
    void reduceTogether(const Graph& graph, const std::vector<Order>& orders);
    /// The same for the gradient of a slot: an all-reduce is held back for its bucket.
    PlacedId bringGradient(const Graph& graph, ValueId gradient, ShardingId target,
                           const Errand& errand);
    /// Ends the reductions held back for these operands: of only those in the backward pass, so
    /// that the bucket goes on filling; else of their whole buckets.
    void demand(const std::vector<PlacedId>& operands, bool isBackward);
    void flush();
    /// Several values that are to be Replicated, in one collective per kind where that serves.
    std::vector<PlacedId> bringTogether(const Graph& graph, const std::vector<ValueId>& values,
                                        ShardingId target, const std::string& name);

    [[nodiscard]] Plan& plan() { return plan_; }
    /// Drops what nobody reads; hands the plan out.
    [[nodiscard]] Plan take();

private:
    /// A reduction that is held back.
    struct Wait {
        PlacedId input;
        PlacedId output;
        std::string name;
        Origin origin;
        std::int64_t bytes = 0;
    };
    /// Gradients that wait for one all-reduce can share it: of one mesh and dtype, along the same
    /// axes; sums of a period are not among those of a step.
    struct Bucket {
        MeshId mesh;
        DType dtype = DType::f32;
        std::vector<bool> axes; ///< that are reduced
        bool isSync = false;
        std::int64_t bytes = 0;
        std::vector<Wait> waits; ///< in the order of their outputs

        /// The waits whose outputs are asked for; or all, if one is.
        [[nodiscard]] std::vector<Wait> takeOut(const std::vector<PlacedId>& asked, bool wantsAll);
    };

    PlanNodeId addCollective(CollectiveKind kind, std::vector<PlacedId> inputs,
                             std::vector<PlacedId> outputs, std::string name, Origin origin);
    [[nodiscard]] std::string nameOf(const Graph& graph, const Errand& errand) const;
    Bucket& bucketFor(const Placed& source, const Placements& target, bool isSync);
    void flush(Bucket& bucket);
    /// One all-reduce of them all.
    void write(std::vector<Wait> waits, bool isSync);

    Shardings& shardings_;
    std::int64_t bucketBytes_;
    Plan plan_;
    std::vector<std::vector<Held>> held_; ///< by value
    std::vector<TypeId> types_;           ///< by value
    std::vector<bool> isPending_;         ///< by PlacedId
    std::vector<Bucket> buckets_;
    std::size_t bucketsWritten_ = 0;
    std::size_t syncsWritten_ = 0;
};

} // namespace weft
