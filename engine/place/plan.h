// SPDX-License-Identifier: Apache-2.0
#pragma once
// The graph with every value placed and every change of placement made an explicit collective.
// Nodes have one global order for all devices, which fixes the order of collectives in every group.
// A value that exists in several placements has a `Placed` for each.

#include "graph/graph.h"
#include "place/placement.h"
#include <weft/types.h>

#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace weft {

class OpList;
struct Plan;

using PlacedId = Id<struct PlacedTag>; ///< index of a value in one placement
using MeshId = Id<struct MeshTag>;
using PlanNodeId = Id<struct PlanNodeTag>;
using ShardingId = Id<struct ShardingTag>; ///< number of a mesh with placements
using TypeId = Id<struct TypeTag>;         ///< number of a dtype with a shape

struct Placed {    ///< a value of the graph in one placement
    ValueId value; ///< the value of the graph
    MeshId mesh;
    Placements placements;
    PlanNodeId producer; ///< none: a feed, or the home of a slot
    ShardingId sharding; ///< number of its mesh and placements
    TypeId type;         ///< number of its dtype and shape; none: not known
    bool operator==(const Placed&) const = default;
};

/// Changes of placement. The first four only cut, keep or pad what a device has; the others move
/// elements.
enum class CollectiveKind : std::uint8_t {
    slice,     ///< Replicated to Split
    keepFirst, ///< Replicated to Partial: the first device keeps, others hold zeros (-inf for max)
    padZero,   ///< Split to Partial: zeros around the part
    alias,     ///< the same boxes under another name
    allReduce, ///< Partial to Replicated
    allGather, ///< Split to Replicated
    reduceScatter, ///< Partial to Split
    allToAll,      ///< Split to Split
    exchange       ///< anything else: boxes sent between meshes, uneven cuts
};
[[nodiscard]] std::string_view nameOf(CollectiveKind kind);
[[nodiscard]] bool isLocal(CollectiveKind kind); ///< true: nothing is sent

struct PlanNode {
    NodeId node; ///< the op that it computes; none: it is a collective
    CollectiveKind collective = CollectiveKind::alias; ///< only if `node` is none
    /// For an op its operands. For a collective the values to change; `outputs` has the same values
    /// in their new placements (a gradient bucket has several).
    std::vector<PlacedId> inputs;
    std::vector<PlacedId> outputs;
    MeshId mesh;      ///< the op's mesh; for a collective the target's
    std::string name; ///< for a collective: "conv5.y -> fc6.x", "gradients 3", "code.weight sync"
    Origin origin;    ///< for a collective: the layer that needs it
    std::vector<std::string> letters = {}; ///< for an op: the letter split per axis; "": none
    /// Body of a repeat: one iteration, placed. Its feeds and results are the operands and results
    /// of the body; carried values end an iteration where they began.
    std::shared_ptr<const Plan> body = {}; ///< for a repeat: one iteration
    /// Ops with equal numbers compute the same on the same parts; the maximum means unknown.
    std::uint32_t alike = std::numeric_limits<std::uint32_t>::max(); ///< equal: same op, same parts
    bool operator==(const PlanNode&) const = default;
};

struct SlotHome { ///< where a slot is stored
    SlotId slot;
    PlacedId home;      ///< where the slot is stored between steps
    PlacedId next = {}; ///< its new value; none: not written by this program
    bool operator==(const SlotHome&) const = default;
};

/// A collective on a wire of the design or for a layer's gradients, as the canvas and `weft plan`
/// show it.
struct WireTraffic {
    Origin from;
    Origin to;
    std::string wire;        ///< "conv5.y -> fc6.x"
    PlanNodeId node;         ///< the collective
    bool isBackward = false; ///< it moves the gradient
    bool operator==(const WireTraffic&) const = default;
};

struct Plan {
    std::shared_ptr<const Graph> graph; ///< with expansions in place
    std::vector<std::string> devices;   ///< names, by DeviceId
    std::vector<Mesh> meshes;
    std::vector<Placed> values;       ///< indexed by PlacedId
    std::vector<PlanNode> nodes;      ///< in the global order of execution
    std::vector<SlotHome> slots;      ///< indexed by SlotId
    std::vector<PlacedId> feeds;      ///< indexed by position in the graph
    std::vector<PlacedId> results;    ///< in the order of the graph's results
    std::vector<WireTraffic> traffic; ///< collectives on wires, for the user
    const OpList* ops = nullptr;      ///< the ops of the graph

    [[nodiscard]] const Placed& at(PlacedId id) const { return values[id.value]; }
    [[nodiscard]] const Mesh& at(MeshId id) const { return meshes[id.value]; }
    [[nodiscard]] const PlanNode& at(PlanNodeId id) const { return nodes[id.value]; }
    [[nodiscard]] const Value& valueOf(PlacedId id) const { return graph->at(at(id).value); }
    /// Returns the position of the device in the mesh, or -1 if it is not a member.
    [[nodiscard]] int memberOf(MeshId mesh, DeviceId device) const; ///< position; -1: no member
    /// Returns what the device holds, or an empty box of the right rank if it is not a member.
    [[nodiscard]] Box boxOf(PlacedId id, DeviceId device) const;
};

/// A box of a tensor that one device sends to another: its position in the whole value, and whether
/// the receiver adds it (or takes the maximum) because several devices send the same box. The
/// transfers to a receiver are in the fixed order in which it sums.
struct BlockTransfer {
    DeviceId from;
    DeviceId to;
    Box box;              ///< position in the whole value
    bool reduces = false; ///< the receiver adds it, or takes the maximum
    bool operator==(const BlockTransfer&) const = default;
};
/// Returns exactly the transfers that change a value from one placement to another (from == to: the
/// device keeps the box, nothing is sent). This is the reference for every collective; faster
/// implementations are compared with it.
[[nodiscard]] std::vector<BlockTransfer> blockTransfers(const Shape& shape, const Mesh& from,
                                                        const Placements& source, const Mesh& to,
                                                        const Placements& target);

/// Returns the elements that each device sends in this node, by DeviceId, as counted for ring
/// collectives.
[[nodiscard]] std::vector<std::int64_t> elementsSent(const Plan& plan, const PlanNode& node);
/// Returns the elements that each device sends of value `k` alone. The node must be a collective
/// that is not local.
[[nodiscard]] std::vector<std::int64_t> elementsSent(const Plan& plan, const PlanNode& node,
                                                     std::size_t k);

/// Throws Error{bug} naming the first value without placement, illegal row, or collective that does
/// not fit.
void verify(const Plan& plan);                     ///< throws Error{bug} for an invalid plan
[[nodiscard]] std::string print(const Plan& plan); ///< text for `weft explain`

} // namespace weft
