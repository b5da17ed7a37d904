// SPDX-License-Identifier: Apache-2.0
#pragma once
// Walks once through the graph in its order, chooses rows, changes the placement of operands, and
// writes the plan. A later node never changes the placement of an earlier node's results.

#include "place/batch_axes.h"
#include "place/layer_assignments.h"
#include "place/place_tables.h"
#include "place/plan_writer.h"
#include "place/value_roles.h"
#include "place/working_graph.h"

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace weft {

class Placer {
public:
    Placer(std::shared_ptr<const Graph> graph, const OpList& ops, const PlacementRequest& request,
           PlaceTables& tables);

    PlacementResult run(); ///< places the whole graph

    /// An operand of a body as its repeat finds it. An operand without a placement gets what its
    /// first use needs.
    struct BodyInput {
        std::optional<Placements> placements = {}; ///< none: any placement will do
        OperandState::Freedom freedom = OperandState::Freedom::placed;
        bool isData = false; ///< it depends on examples
    };
    /// One iteration: its carried values are changed back to the placement in which they began.
    struct Round {
        Plan plan; ///< plan of one iteration
        /// Placements of carried values as the iteration computed them.
        std::vector<Placements> endPlacements; ///< carried values as the iteration computes them
        double nanoseconds = 0;                ///< cost of its changes of placement
    };
    Round runBody(const Mesh& mesh, const std::vector<BodyInput>& inputs, std::size_t carried,
                  std::size_t summed);

private:
    void prepare(); ///< reads the graph's slots and feeds
    [[nodiscard]] Origin originOf(ValueId id) const;
    [[nodiscard]] SlotId slotOf(ValueId id) const { return roles_.of(id).slot; }
    [[nodiscard]] std::optional<std::uint32_t> feedOf(ValueId id) const {
        return roles_.of(id).feed;
    }

    // Placement of one node.
    void place(const Node& node);         ///< places a node, with its operands after replacements
    void placeRemapped(const Node& node); ///< places a node whose operands are replaced already
    void placeOn(const Node& node, const LayerAssignments::Layer& layer, MeshId mesh);
    [[nodiscard]] MeshId meshOfOperands(const std::vector<ValueId>& inputs) const;
    /// Adds the requests of the layer's assignment for a node to the question. Returns the letter
    /// for which the op must be expanded, if any.
    Letter addRequests(const Node& node, const NodeRule& rule, const LayerAssignments::Layer& layer,
                       PlacementQuestion& question) const;
    void writeNode(const Node& node, const RuleBook::Entry& known, MeshId mesh,
                   const PlacementChoice& choice);
    [[nodiscard]] ChangeReason changeReasonFor(const Node& node, std::size_t k) const;
    PlacedId bringOperand(const Node& node, std::size_t k, PlacementChoice::Operand chosen);
    bool expand(const Node& given, const NodeRule& rule, Letter letter); ///< false: impossible
    void replaceResult(std::vector<Node>& nodes, ValueId made, ValueId wanted);
    [[nodiscard]] ValueId remap(ValueId value) const; ///< the value that replaces it, or itself
    void markData(const Node& node); ///< results depend on examples if an operand does

    // Sums over values on several meshes.
    [[nodiscard]] bool isUnassignedSum(const Node& node) const; ///< a sum that no assignment places
    void placeSum(const Node& node, const LayerAssignments::Layer& layer); ///< sums per mesh first
    ValueId addOnMesh(const Node& sum, const LayerAssignments::Layer& layer, MeshId mesh,
                      std::vector<ValueId> terms);

    // Repeats.
    void placeRepeat(const Node& node);
    [[nodiscard]] BodyInput bodyInputFor(const Node& node, std::size_t k, const Mesh& mesh);
    [[nodiscard]] Round placeRound(const Node& node, const Mesh& mesh,
                                   const std::vector<BodyInput>& inputs);
    [[nodiscard]] double entryChangeCost(const Node& node, const Round& round);
    void writeRepeat(const Node& node, MeshId mesh, Round round);
    [[nodiscard]] ShardingId bodySharding(const Plan& body, PlacedId id, bool isPerRound);

    // Values without a placement.
    void findOperandState(ValueId value, OperandState& state);
    void placeSlotOrFeed(ValueId value); ///< if its parameter or assignment says where
    ShardingId placeForFirstUse(ValueId value, ShardingId wanted); ///< returns the placement
    void placeFeed(std::uint32_t feed, const Assignment& assignment);
    PlacedId setHome(SlotId slot, ShardingId sharding); ///< where the slot is stored
    /// Returns the home of a slot that belongs to a parameter: beside the parameter.
    [[nodiscard]] ShardingId homeBeside(SlotId slot); ///< like its parameter's home
    /// Returns the parameter's placement for another shape, which is split where it has as many
    /// parts.
    [[nodiscard]] Placements placementsBeside(SlotId parameter, const Shape& shape) const;

    // Gradients.
    void bringGradientsHome(ValueId gradient); ///< to the dual of its value's placement
    /// Returns where a value goes first: the next value of a slot to the slot's home, a gradient to
    /// the dual placement.
    [[nodiscard]] PlacementQuestion::WantedPlacement wantedFor(ValueId value);
    void bringSlotGradient(ValueId gradient, SlotId slot); ///< to the slot's home
    void bringCountHome(ValueId count); ///< to the placement of its parameter's sum
    [[nodiscard]] ChangeReason homeChangeReason(ValueId value, SlotId parameter,
                                                bool isPeriods) const;
    /// Reduces the sums of earlier steps, all together before the first node that reads one.
    void reduceAccumulators(const Node& reader); ///< before the first node that reads one
    void bringWireGradient(ValueId gradient, ValueId value); ///< to the placement of its value
    [[nodiscard]] bool isSentWhole(const ChangeReason& reason) const; ///< by the wire's scheme

    // The end of a step.
    void finishSlots();            ///< next values go to the slots' homes
    void finishResults();          ///< results are gathered as requested
    void finishFeeds();            ///< unused feeds are replicated
    void finishRemapped();         ///< the graph's lists name the values that replace others
    [[nodiscard]] Plan takePlan(); ///< the finished plan

    std::shared_ptr<const Graph> given_; ///< the graph to place
    WorkingGraph graph_;                 ///< the graph with expansions
    const OpList& ops_;
    const PlacementRequest& request_;
    std::vector<Diagnostic> problems_;
    PlaceTables& tables_;
    Shardings& shardings_;
    LayerAssignments layers_;
    PlanWriter writer_;          ///< the plan so far
    PlacementQuestion question_; ///< member only to reuse its memory
    ValueRoles roles_;           ///< what slots, feeds and gradients the values are
    BatchAxes batch_;            ///< axes along which gradients stay separate
    std::map<ValueId, OperandState::Freedom> free_; ///< operands of a body without placement
    std::vector<PlacedId> homes_;                   ///< per slot: where it is stored
    std::vector<bool> isAccumulated_;     ///< per slot: its gradient is summed over several updates
    std::vector<bool> isCounted_;         ///< per slot: its sum is not a gradient
    std::vector<PlacedId> feeds_;         ///< per feed: its first placement
    bool areAccumulatorsReduced_ = false; ///< sums of earlier steps were reduced
    std::vector<std::pair<ValueId, ValueId>> remapped_; ///< replaced value, and its replacement
};

} // namespace weft
