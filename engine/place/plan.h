// SPDX-License-Identifier: Apache-2.0
#pragma once
// The graph with every value placed and every change of placement an explicit collective. Nodes
// stand in one global order, the same for all devices: the order of collectives of every group is
// fixed here. A value may be held under several placements; each is a `Placed` of its own.

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

using PlacedId = Id<struct PlacedTag>;
using MeshId = Id<struct MeshTag>;
using PlanNodeId = Id<struct PlanNodeTag>;
using ShardingId = Id<struct ShardingTag>;
using TypeId = Id<struct TypeTag>;

struct Placed {
    ValueId value;
    MeshId mesh;
    Placements placements;
    PlanNodeId producer; ///< none: a feed, or the home of a slot
    ShardingId sharding; ///< number of its mesh and placements, and
    TypeId type;         ///< of its dtype and shape; none: not known
    bool operator==(const Placed&) const = default;
};

/// Changes of placement. The first four only cut, keep or pad what a device has; the others move
/// elements.
enum class CollectiveKind : std::uint8_t {
    slice,         ///< R to S
    keepFirst,     ///< R to P: the first keeps, the others hold zeros (-inf for max)
    padZero,       ///< S to P: zeros around
    alias,         ///< the same boxes under another name
    allReduce,     ///< P to R
    allGather,     ///< S to R
    reduceScatter, ///< P to S
    allToAll,      ///< S to S
    exchange       ///< anything else: blocks, between meshes, uneven cuts
};
[[nodiscard]] std::string_view nameOf(CollectiveKind kind);
[[nodiscard]] bool isLocal(CollectiveKind kind);

struct PlanNode {
    /// The op it computes; none: a collective.
    NodeId node;
    CollectiveKind collective = CollectiveKind::alias;
    /// An op's operands; of a collective the values to change, and in `outputs` the same values
    /// changed (a gradient bucket has several).
    std::vector<PlacedId> inputs;
    std::vector<PlacedId> outputs;
    MeshId mesh;      ///< an op's; of a collective the target's
    std::string name; ///< of a collective: "conv5.y -> fc6.x", "gradients 3", "code.weight sync"
    Origin origin;    ///< of a collective: the layer that asked for it
    std::vector<std::string> letters = {}; ///< an op's: the letter split per axis; "" none
    /// Body of a repeat: one iteration, placed. Its feeds and results are the operands and results
    /// of the body; carried values end an iteration where they began.
    std::shared_ptr<const Plan> body = {};
    /// Ops of equal number compute the same on the same parts; none: not known.
    std::uint32_t alike = std::numeric_limits<std::uint32_t>::max();
    bool operator==(const PlanNode&) const = default;
};

struct SlotHome {
    SlotId slot;
    PlacedId home;
    PlacedId next = {}; ///< none: not written by this program
    bool operator==(const SlotHome&) const = default;
};

/// A collective on a drawn wire or a layer's gradients: what canvas and `weft plan` show.
struct WireTraffic {
    Origin from;
    Origin to;
    std::string wire; ///< "conv5.y -> fc6.x"
    PlanNodeId node;
    bool isBackward = false;
    bool operator==(const WireTraffic&) const = default;
};

struct Plan {
    std::shared_ptr<const Graph> graph; ///< with expansions in place
    std::vector<std::string> devices;   ///< names, by DeviceId
    std::vector<Mesh> meshes;
    std::vector<Placed> values;
    std::vector<PlanNode> nodes;
    std::vector<SlotHome> slots; ///< by SlotId
    std::vector<PlacedId> feeds; ///< by position in the graph
    std::vector<PlacedId> results;
    std::vector<WireTraffic> traffic;
    const OpList* ops = nullptr; ///< those that the graph is made of

    [[nodiscard]] const Placed& at(PlacedId id) const { return values[id.value]; }
    [[nodiscard]] const Mesh& at(MeshId id) const { return meshes[id.value]; }
    [[nodiscard]] const PlanNode& at(PlanNodeId id) const { return nodes[id.value]; }
    [[nodiscard]] const Value& valueOf(PlacedId id) const { return graph->at(at(id).value); }
    /// Position of the device in the mesh; -1 when it is not a member.
    [[nodiscard]] int memberOf(MeshId mesh, DeviceId device) const;
    /// What the device holds; an empty box of the right rank when it is not a member.
    [[nodiscard]] Box boxOf(PlacedId id, DeviceId device) const;
};

/// One block that goes from one device to another: its box in the whole value, and whether the
/// receiver adds (or takes the maximum) because several devices send the same box. Blocks of one
/// receiver stand in the fixed order of sums.
struct Block {
    DeviceId from;
    DeviceId to;
    Box box;
    bool reduces = false;
    bool operator==(const Block&) const = default;
};
/// Exactly the blocks by which a value comes from one placement to another (from == to: kept, not
/// sent). The one rule behind every collective: the fast ways are held against it.
[[nodiscard]] std::vector<Block> blocksOf(const Shape& shape, const Mesh& from,
                                          const Placements& source, const Mesh& to,
                                          const Placements& target);

/// Elements each device sends in this node, by DeviceId, under the convention of ring collectives.
[[nodiscard]] std::vector<std::int64_t> elementsSent(const Plan& plan, const PlanNode& node);
/// The same of one of the values that it changes; the node is a collective and not local.
[[nodiscard]] std::vector<std::int64_t> elementsSent(const Plan& plan, const PlanNode& node,
                                                     std::size_t k);

/// Throws Error{bug} naming the first value without placement, row that is not legal or collective
/// that does not fit.
void verify(const Plan& plan);
[[nodiscard]] std::string print(const Plan& plan);

} // namespace weft
