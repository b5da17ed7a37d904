// SPDX-License-Identifier: Apache-2.0
#pragma once
// Walks once through the graph in its order, chooses rows, changes the placement of operands, and
// writes the plan. A later node never changes the placement of an earlier node's results.

#include "place/batch_axes.h"
#include "place/layers_placed.h"
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

    PlacementResult run();

    /// An operand of a body as its repeat finds it. An operand without a placement gets what its
    /// first use needs.
    struct BodyInput {
        std::optional<Placements> placements = {};
        OperandState::Freedom freedom = OperandState::Freedom::placed;
        bool isData = false;
    };
    /// One iteration: its carried values are changed back to the placement in which they began.
    struct Round {
        Plan plan;
        /// Placements of carried values as the iteration computed them.
        std::vector<Placements> ends;
        double nanoseconds = 0; ///< cost of its changes of placement
    };
    Round runBody(const Mesh& mesh, const std::vector<BodyInput>& inputs, std::size_t carried,
                  std::size_t summed);

private:
    void prepare();
    [[nodiscard]] Origin originOf(ValueId id) const;
    [[nodiscard]] SlotId slotOf(ValueId id) const { return roles_.of(id).slot; }
    [[nodiscard]] std::optional<std::uint32_t> feedOf(ValueId id) const {
        return roles_.of(id).feed;
    }

    // Placement of one node.
    void place(const Node& node);
    void placeMended(const Node& node);
    void placeOn(const Node& node, const LayersPlaced::Layer& layer, MeshId mesh);
    [[nodiscard]] MeshId meshOfOperands(const std::vector<ValueId>& inputs) const;
    /// Adds the requests of the layer's assignment for a node to the question. Returns the letter
    /// for which the op must be expanded, if any.
    Letter makeRequests(const Node& node, const NodeRule& rule, const LayersPlaced::Layer& layer,
                        Question& question) const;
    void emit(const Node& node, const RuleBook::Entry& known, MeshId mesh, const Choice& choice);
    [[nodiscard]] Errand errandFor(const Node& node, std::size_t k) const;
    PlacedId bringOperand(const Node& node, std::size_t k, Choice::Operand chosen);
    bool expand(const Node& given, const NodeRule& rule, Letter letter);
    void rename(std::vector<Node>& nodes, ValueId made, ValueId wanted);
    [[nodiscard]] ValueId remap(ValueId value) const;
    void markData(const Node& node);

    // Sums over values on several meshes.
    [[nodiscard]] bool isFreeSum(const Node& node) const;
    void placeSum(const Node& node, const LayersPlaced::Layer& layer);
    ValueId placePart(const Node& sum, const LayersPlaced::Layer& layer, MeshId mesh,
                      std::vector<ValueId> terms);

    // Repeats.
    void placeRepeat(const Node& node);
    [[nodiscard]] BodyInput bodyInputFor(const Node& node, std::size_t k, const Mesh& mesh);
    [[nodiscard]] Round placeRound(const Node& node, const Mesh& mesh,
                                   const std::vector<BodyInput>& inputs);
    [[nodiscard]] double entryCost(const Node& node, const Round& round);
    void emitRepeat(const Node& node, MeshId mesh, Round round);
    [[nodiscard]] ShardingId bodySharding(const Plan& body, PlacedId id, bool isPerRound);

    // Values without a placement.
    void findState(ValueId value, OperandState& state);
    void settleKnown(ValueId value);
    ShardingId settleFree(ValueId value, ShardingId wanted);
    void placeFeed(std::uint32_t feed, const Assignment& assignment);
    PlacedId setHome(SlotId slot, ShardingId sharding);
    /// Returns the home of a slot that belongs to a parameter: beside the parameter.
    [[nodiscard]] ShardingId homeBeside(SlotId slot);
    /// Returns the parameter's placement for another shape, which is split where it has as many
    /// parts.
    [[nodiscard]] Placements besideOf(SlotId parameter, const Shape& shape) const;

    // Gradients.
    void bringGradientsHome(ValueId gradient);
    /// Returns where a value goes first: the next value of a slot to the slot's home, a gradient to
    /// the dual placement.
    [[nodiscard]] Question::Wanted wantedFor(ValueId value);
    void bringSlotGradient(ValueId gradient, SlotId slot);
    void bringCountHome(ValueId count);
    [[nodiscard]] Errand homeErrand(ValueId value, SlotId parameter, bool isPeriods) const;
    /// Reduces the sums of earlier steps, all together before the first node that reads one.
    void reduceAccumulators(const Node& reader);
    void bringWireGradient(ValueId gradient, ValueId value);
    [[nodiscard]] bool crossesWhole(const Errand& errand) const;

    // The end of a step.
    void endSlots();
    void endResults();
    void endFeeds();
    void endRemapped();
    [[nodiscard]] Plan takePlan();

    std::shared_ptr<const Graph> given_;
    WorkingGraph graph_;
    const OpList& ops_;
    const PlacementRequest& request_;
    std::vector<Diagnostic> problems_;
    PlaceTables& tables_;
    Shardings& shardings_;
    LayersPlaced layers_;
    PlanWriter writer_;
    Question question_; ///< member only to reuse its memory
    ValueRoles roles_;
    BatchAxes batch_;
    std::map<ValueId, OperandState::Freedom> free_; ///< operands of a body without placement
    std::vector<PlacedId> homes_;                   ///< per slot
    /// Per slot: accumulated over several updates, so that its sum is reduced.
    std::vector<bool> isSummedUp_;
    std::vector<bool> isCounted_; ///< per slot: its sum is not a gradient
    std::vector<PlacedId> feeds_; ///< per feed
    bool areAccumulatorsReduced_ = false;
    std::vector<std::pair<ValueId, ValueId>> remapped_;
};

} // namespace weft
