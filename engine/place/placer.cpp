// SPDX-License-Identifier: Apache-2.0
#include "place/placer.h"

#include "graph/builder.h"
#include <weft/error.h>

#include <algorithm>

namespace weft {

Placer::Placer(std::shared_ptr<const Graph> graph, const OpList& ops,
               const PlacementRequest& request, PlaceTables& tables)
    : given_(graph),
      graph_(std::move(graph)),
      ops_(ops),
      request_(request),
      tables_(tables),
      shardings_(tables.shardings),
      layers_(*given_, request, tables, problems_),
      writer_(shardings_, request.bucketMegabytes) {}

PlacementResult Placer::run() {
    prepare();
    for (const Node& node : given_->nodes) {
        place(node);
    }
    writer_.flush();
    finishSlots();
    finishResults();
    finishFeeds();
    finishRemapped();
    layers_.reportUnusedWords();
    PlacementResult placing{takePlan(), std::move(problems_), {}};
    if (request_.findsLegalWords) {
        placing.legal = layers_.legalWords();
    }
    return placing;
}

Plan Placer::takePlan() {
    Plan plan = writer_.take();
    plan.graph = graph_.share();
    plan.devices = request_.devices;
    plan.meshes = shardings_.meshes();
    plan.ops = &ops_;
    return plan;
}

void Placer::prepare() {
    const Graph& graph = *given_;
    writer_.grow(graph);
    roles_.fill(graph);
    for (std::uint32_t v = 0; v < graph.values.size(); ++v) {
        roles_.setData({v}, layers_.data()[v]);
    }
    homes_.resize(graph.slots.size());
    isAccumulated_.resize(graph.slots.size());
    isCounted_.resize(graph.slots.size());
    for (const SumCount& counted : graph.counts) {
        isCounted_[counted.slot.value] = true;
    }
    for (const Slot& slot :
         graph.slots) { // counts that this step only adds to are not in graph.counts
        if (slot.isCount) {
            isCounted_[slot.of.value] = true;
        }
    }
    for (const Slot& slot : graph.slots) {
        if (slot.kind == SlotKind::accumulator && slot.shape == graph.at(slot.of).shape) {
            isAccumulated_[slot.of.value] = true;
        }
    }
    feeds_.resize(graph.feeds.size());
    for (std::uint32_t k = 0; k < graph.feeds.size(); ++k) {
        if (graph.feeds[k].kind == FeedKind::argument) {
            feeds_[k] = writer_.addPlaced(graph.feeds[k].value,
                                          shardings_.replicated(layers_.allDevices()), {});
        }
    }
    for (const SlotPlacement& fixed : request_.fixedSlots) {
        if (const SlotId slot = graph.slotNamed(fixed.slot); !slot.isNone()) {
            setHome(slot, shardings_.sharding(shardings_.mesh(fixed.mesh), fixed.placements));
        }
    }
}

Origin Placer::originOf(ValueId id) const {
    const Value& value = graph_.get().at(id);
    if (!value.producer.isNone()) {
        return graph_.get().at(value.producer).origin;
    }
    if (const SlotId slot = slotOf(id); !slot.isNone()) {
        return given_->at(slot).origin;
    }
    const auto feed = feedOf(id);
    return feed ? given_->feeds[*feed].origin : Origin{};
}

void Placer::place(const Node& node) {
    if (std::ranges::any_of(remapped_, [&](const auto& pair) {
            return std::ranges::find(node.inputs, pair.first) != node.inputs.end();
        })) {
        Node mended = node;
        for (ValueId& input : mended.inputs) {
            input = remap(input);
        }
        placeRemapped(mended);
    } else {
        placeRemapped(node);
    }
}

void Placer::placeRemapped(const Node& node) {
    if (node.body) {
        placeRepeat(node);
        return;
    }
    const auto& layer =
        layers_.settledLayer(layers_.indexOf(node.origin), meshOfOperands(node.inputs));
    if (isUnassignedSum(node)) {
        placeSum(node, layer);
    } else {
        placeOn(node, layer, layer.mesh);
    }
}

void Placer::placeOn(const Node& node, const LayerAssignments::Layer& layer, MeshId mesh) {
    const RuleBook::Entry known = tables_.ruleBook.entryFor(graph_.get(), node);
    const NodeRule& rule = *known.rule;
    markData(node);
    if (node.pass == Pass::update && !areAccumulatorsReduced_) {
        reduceAccumulators(node);
    }
    PlacementQuestion& question = question_;
    question.rule = &rule;
    question.mesh = mesh;
    question.mayExpand = true;
    question.requested.clear();
    const Letter asked = addRequests(node, rule, layer, question);
    if (asked != noLetter && expand(node, rule, asked)) {
        return;
    }
    question.operands.resize(node.inputs.size());
    for (std::size_t k = 0; k < node.inputs.size(); ++k) {
        findOperandState(node.inputs[k], question.operands[k]);
        question.operands[k].followsOwn = node.pass == Pass::forward || node.pass == Pass::metric;
    }
    batch_.addNode(node, mesh, layer.words);
    question.results.clear();
    question.wanted.clear();
    for (const ValueId output : node.outputs) {
        question.results.push_back(writer_.typeOf(output));
        question.wanted.push_back(wantedFor(output));
    }
    const PlacementChoice* choice = &tables_.chooser.choose(question);
    if (choice->expands != noLetter) {
        if (expand(node, rule, choice->expands)) {
            return;
        }
        question.mayExpand = false;
        choice = &tables_.chooser.choose(question);
    }
    writeNode(node, known, mesh, *choice);
}

void Placer::markData(const Node& node) {
    const bool isData =
        std::ranges::any_of(node.inputs, [&](ValueId input) { return roles_.isData(input); });
    for (const ValueId output : node.outputs) {
        roles_.setData(output, isData);
    }
}

/// Returns the mesh of the first operand that depends on examples, else of the first placed
/// operand.
MeshId Placer::meshOfOperands(const std::vector<ValueId>& inputs) const {
    MeshId first;
    for (const ValueId input : inputs) {
        const auto held = writer_.placementsOf(input);
        if (held.empty()) {
            continue;
        }
        const MeshId mesh = shardings_.at(held.front().sharding).mesh;
        if (roles_.isData(input)) {
            return mesh;
        }
        first = first.isNone() ? mesh : first;
    }
    return first;
}

Letter Placer::addRequests(const Node& node, const NodeRule& rule,
                           const LayerAssignments::Layer& layer,
                           PlacementQuestion& question) const {
    const bool hearsWords =
        (node.pass == Pass::forward || node.pass == Pass::metric) &&
        std::ranges::any_of(node.inputs, [&](ValueId input) { return roles_.isData(input); });
    const Mesh& mesh = shardings_.at(question.mesh);
    Letter asked = noLetter;
    for (std::size_t axis = 0; axis < mesh.axes(); ++axis) {
        RequestedPlacement requested;
        const AxisWord word = hearsWords ? layer.words[axis] : AxisWord::follow;
        if (word == AxisWord::replicate) {
            requested.kind = RequestedPlacement::Kind::replicate;
        } else if (word != AxisWord::follow && mesh.shape[axis] > 1) {
            const WordFit fit = fitOf(node, rule, word);
            if (fit.kind == WordFit::Kind::row) {
                requested = {RequestedPlacement::Kind::letter, fit.letter, fit.grain};
            } else if (fit.kind == WordFit::Kind::expands) {
                asked = fit.letter;
            }
        }
        question.requested.push_back(requested);
    }
    return asked;
}

void Placer::writeNode(const Node& node, const RuleBook::Entry& known, MeshId mesh,
                       const PlacementChoice& choice) {
    std::vector<PlacedId> needed;
    std::vector<PlanWriter::OrderedChange> orders;
    for (std::size_t k = 0; k < node.inputs.size(); ++k) {
        const PlacementChoice::Operand& chosen = choice.operands[k];
        if (!chosen.source.isNone()) {
            needed.push_back(writer_.find(node.inputs[k], chosen.source));
            if (chosen.source != chosen.target) {
                orders.push_back(
                    {node.inputs[k], chosen.source, chosen.target, changeReasonFor(node, k)});
            }
        }
    }
    writer_.reduceFor(needed, node.pass == Pass::backward);
    if (orders.size() > 1) {
        writer_.reduceTogether(graph_.get(), orders);
    }
    std::vector<PlacedId> inputs;
    for (std::size_t k = 0; k < node.inputs.size(); ++k) {
        inputs.push_back(bringOperand(node, k, choice.operands[k]));
    }
    std::vector<std::string> letters;
    letters.reserve(choice.letters.size());
    for (const Letter letter : choice.letters) {
        letters.push_back(letter == noLetter
                              ? ""
                              : known.rule->rule.letters[static_cast<std::size_t>(letter)].name);
    }
    const std::vector<ShardingId> results = choice.results;
    const NodeId id = graph_.append(node);
    writer_.addOp(id, mesh, std::move(inputs), node.outputs, results, std::move(letters));
    writer_.plan().nodes.back().alike = tables_.computationNumber(known.kind, choice);
    for (const ValueId output : node.outputs) {
        bringGradientsHome(output);
    }
}

ChangeReason Placer::changeReasonFor(const Node& node, std::size_t k) const {
    return {.from = originOf(node.inputs[k]),
            .to = node.origin,
            .isBackward = node.pass == Pass::backward,
            .value = node.inputs[k],
            .consumer = &node,
            .operand = k};
}

PlacedId Placer::bringOperand(const Node& node, std::size_t k, PlacementChoice::Operand chosen) {
    const ValueId value = node.inputs[k];
    ShardingId source = chosen.source;
    if (source.isNone()) {
        // An earlier operand of this same node may have settled it.
        source = writer_.placementsOf(value).empty() ? placeForFirstUse(value, chosen.target)
                                                     : writer_.placementsOf(value).front().sharding;
    }
    if (source == chosen.target) {
        return writer_.find(value, source);
    }
    const ChangeReason reason = changeReasonFor(node, k);
    if (!reason.isBackward && isSentWhole(reason)) {
        const ShardingId whole = shardings_.replicated(shardings_.at(chosen.target).mesh);
        writer_.bring(graph_.get(), value, source, whole, reason);
        source = whole;
    }
    return writer_.bring(graph_.get(), value, source, chosen.target, reason);
}

/// False if the op has no expansion for that letter.
bool Placer::expand(const Node& given, const NodeRule& rule, Letter letter) {
    const Node node = given;
    Graph& graph = graph_.editableCopy();
    const std::size_t first = graph.nodes.size();
    Builder builder(graph, ops_);
    builder.setOrigin(node.origin);
    builder.setPass(node.pass);
    builder.setRole(node.role);
    Expansion expansion(builder, node, rule.rule.letters[static_cast<std::size_t>(letter)].name);
    node.op->expand(expansion);
    ensure(builder.takeRefusals().empty(),
           "the expansion of an op builds ops with legal placements");
    std::vector<Node> smaller(
        std::make_move_iterator(graph.nodes.begin() + static_cast<std::ptrdiff_t>(first)),
        std::make_move_iterator(graph.nodes.end()));
    graph.nodes.resize(first);
    const bool serves =
        std::ranges::none_of(expansion.results(), [](ValueId result) { return result.isNone(); });
    if (!serves) {
        return false;
    }
    for (std::size_t k = 0; k < node.outputs.size(); ++k) {
        replaceResult(smaller, expansion.results()[k], node.outputs[k]);
    }
    writer_.grow(graph);
    for (const Node& each : smaller) {
        place(each);
    }
    return true;
}

/// Gives the result of an expansion the id of the value that it replaces, so that graph and
/// gradients need no change. If the result is an operand itself, the value is read under the
/// operand's id from now on.
void Placer::replaceResult(std::vector<Node>& nodes, ValueId made, ValueId wanted) {
    bool isMade = false;
    for (Node& node : nodes) {
        for (ValueId& output : node.outputs) {
            isMade = isMade || output == made;
            output = output == made ? wanted : output;
        }
        for (ValueId& input : node.inputs) {
            input = input == made ? wanted : input;
        }
    }
    if (!isMade) {
        remapped_.emplace_back(wanted, made);
    }
}

ValueId Placer::remap(ValueId value) const {
    for (const auto& [from, to] : remapped_) {
        if (value == from) {
            value = to;
        }
    }
    return value;
}

} // namespace weft
