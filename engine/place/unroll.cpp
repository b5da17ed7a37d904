// SPDX-License-Identifier: Apache-2.0
#include "place/unroll.h"

#include "graph/op.h"
#include "graph/repeat.h"
#include "place/rule_book.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>

namespace weft {

namespace {

/// A plan that is being unrolled: the given one, or one iteration of a body. Maps its ids to those
/// of the new plan.
struct Frame {
    Frame(const Plan& of, std::string ofRound)
        : plan(of),
          placed(of.values.size()),
          values(of.graph->values.size()),
          nodes(of.nodes.size()),
          round(std::move(ofRound)) {}

    const Plan& plan;
    std::vector<PlacedId> placed;
    std::vector<ValueId> values;
    std::vector<PlanNodeId> nodes;
    std::string round; ///< " iteration 3"
};

bool draws(const Plan& body) {
    return std::ranges::any_of(body.nodes, [&](const PlanNode& node) {
        return node.body ? draws(*node.body)
                         : !node.node.isNone() && body.graph->at(node.node).op->random;
    });
}

bool communicates(const Plan& body) {
    return std::ranges::any_of(body.nodes, [](const PlanNode& node) {
        return node.body ? communicates(*node.body)
                         : node.node.isNone() && !isLocal(node.collective);
    });
}

/// Returns the body of a repeat inside an unrolled iteration, with random keys of that iteration.
std::shared_ptr<const Plan> ofRound(const Plan& body, const std::string& round) {
    Plan plan = body;
    Graph graph = *body.graph;
    for (Node& node : graph.nodes) {
        node.role += round;
    }
    for (PlanNode& planned : plan.nodes) {
        if (planned.body) {
            planned.body = ofRound(*planned.body, round);
            graph.at(planned.node).body = planned.body->graph;
        }
    }
    plan.graph = std::make_shared<const Graph>(std::move(graph));
    return std::make_shared<const Plan>(std::move(plan));
}

class Unrolling {
public:
    Unrolling(const Plan& given, UnrollScope scope)
        : given_(given), laying_(scope), graph_(*given.graph) {
        graph_.nodes.clear();
        made_.devices = given.devices;
        made_.meshes = given.meshes;
        made_.values = given.values;
        made_.slots = given.slots;
        made_.feeds = given.feeds;
        made_.results = given.results;
        made_.ops = given.ops;
    }

    Plan run() {
        Frame frame(given_, {});
        for (std::uint32_t k = 0; k < frame.placed.size(); ++k) {
            frame.placed[k] = {k};
        }
        for (std::uint32_t k = 0; k < frame.values.size(); ++k) {
            frame.values[k] = {k};
        }
        lay(frame);
        made_.graph = std::make_shared<const Graph>(std::move(graph_));
        return std::move(made_);
    }

private:
    MeshId meshFor(const Mesh& mesh) {
        const auto found = std::ranges::find(made_.meshes, mesh);
        if (found == made_.meshes.end()) {
            made_.meshes.push_back(mesh);
            return {static_cast<std::uint32_t>(made_.meshes.size() - 1)};
        }
        return {static_cast<std::uint32_t>(found - made_.meshes.begin())};
    }

    ValueId valueFor(Frame& frame, ValueId id) {
        ValueId& known = frame.values[id.value];
        if (known.isNone()) {
            known = {static_cast<std::uint32_t>(graph_.values.size())};
            graph_.values.push_back(frame.plan.graph->at(id));
            graph_.values.back().producer = {};
        }
        return known;
    }

    PlacedId placedFor(Frame& frame, PlacedId id) {
        PlacedId& known = frame.placed[id.value];
        if (known.isNone()) {
            const Placed& placed = frame.plan.at(id);
            const ValueId value = valueFor(frame, placed.value);
            known = {static_cast<std::uint32_t>(made_.values.size())};
            made_.values.push_back(
                {value, meshFor(frame.plan.at(placed.mesh)), placed.placements, {}});
        }
        return known;
    }

    std::vector<PlacedId> placedFor(Frame& frame, const std::vector<PlacedId>& ids) {
        std::vector<PlacedId> list;
        list.reserve(ids.size());
        for (const PlacedId id : ids) {
            list.push_back(placedFor(frame, id));
        }
        return list;
    }

    void add(PlanNode node) {
        const PlanNodeId id{static_cast<std::uint32_t>(made_.nodes.size())};
        for (const PlacedId output : node.outputs) {
            made_.values[output.value].producer = id;
        }
        made_.nodes.push_back(std::move(node));
    }

    /// Adds an op on values that are already placed.
    void addOp(Node node, PlanNode planned) {
        const NodeId id{static_cast<std::uint32_t>(graph_.nodes.size())};
        node.inputs.clear();
        node.outputs.clear();
        for (const PlacedId input : planned.inputs) {
            node.inputs.push_back(made_.at(input).value);
        }
        for (const PlacedId output : planned.outputs) {
            const ValueId value = made_.at(output).value;
            graph_.at(value).producer = id;
            graph_.at(value).output = static_cast<std::uint32_t>(node.outputs.size());
            node.outputs.push_back(value);
        }
        graph_.nodes.push_back(std::move(node));
        planned.node = id;
        add(std::move(planned));
    }

    void lay(Frame& frame) {
        for (std::uint32_t n = 0; n < frame.plan.nodes.size(); ++n) {
            const PlanNode& planned = frame.plan.nodes[n];
            if (planned.body && (laying_ == UnrollScope::all || needsUnrolling(*planned.body))) {
                layRounds(frame, planned);
                continue;
            }
            frame.nodes[n] = {static_cast<std::uint32_t>(made_.nodes.size())};
            PlanNode copy = planned;
            copy.inputs = placedFor(frame, planned.inputs);
            copy.outputs = placedFor(frame, planned.outputs);
            copy.mesh = meshFor(frame.plan.at(planned.mesh));
            if (planned.node.isNone()) {
                copy.name += frame.round;
                add(std::move(copy));
            } else {
                Node node = frame.plan.graph->at(planned.node);
                node.role +=
                    frame.round; // random numbers are keyed by role: each iteration draws others
                if (planned.body && !frame.round.empty()) {
                    copy.body = ofRound(*planned.body, frame.round);
                    node.body = copy.body->graph;
                }
                addOp(std::move(node), std::move(copy));
            }
        }
        for (WireTraffic wire : frame.plan.traffic) {
            wire.node = frame.nodes[wire.node.value];
            made_.traffic.push_back(std::move(wire));
        }
    }

    void layRounds(Frame& frame, const PlanNode& planned) {
        const Node node = frame.plan.graph->at(planned.node);
        const RepeatForm form = repeatForm(node);
        const Plan& body = *planned.body;
        const std::vector<PlacedId> inputs = placedFor(frame, planned.inputs);
        const std::vector<PlacedId> outputs = placedFor(frame, planned.outputs);
        std::vector<PlacedId> carried(inputs.begin(),
                                      inputs.begin() + static_cast<std::ptrdiff_t>(form.carried));
        std::vector<std::vector<PlacedId>> made(outputs.size());
        for (std::int64_t round = 0; round < form.count; ++round) {
            const std::int64_t position = form.position(round);
            Frame inside(body, frame.round + roundName(position));
            for (std::size_t k = 0; k < inputs.size(); ++k) {
                if (k < form.carried) {
                    bind(inside, body.feeds[k], carried[k]);
                } else if (k < form.carried + form.sliced) {
                    cut(node, inputs[k], placedFor(inside, body.feeds[k]), position);
                } else {
                    bind(inside, body.feeds[k], inputs[k]);
                }
            }
            for (std::size_t k = 0; round + 1 == form.count && k < form.carried; ++k) {
                bind(inside, body.results[k], outputs[k]);
            }
            lay(inside);
            for (std::size_t k = 0; k < outputs.size(); ++k) {
                made[k].push_back(placedFor(inside, body.results[k]));
            }
            for (std::size_t k = 0; k < form.carried; ++k) {
                carried[k] = made[k].back();
            }
        }
        for (std::size_t k = form.carried; k < outputs.size(); ++k) {
            // Added in the order of the iterations.
            const bool isSum = k < form.carried + form.summed;
            if (form.isReversed && !isSum) {
                std::ranges::reverse(made[k]);
            }
            join(node, isSum ? "add" : "stack", made[k], outputs[k]);
        }
    }

    void bind(Frame& frame, PlacedId inside, PlacedId outside) {
        frame.placed[inside.value] = outside;
        frame.values[frame.plan.at(inside).value.value] = made_.at(outside).value;
    }

    void cut(const Node& like, PlacedId from, PlacedId to, std::int64_t position) {
        Node node = named(like, "round");
        node.attributes = {{"position", position}};
        put(std::move(node), {from}, to);
    }

    void join(const Node& like, std::string_view op, const std::vector<PlacedId>& from,
              PlacedId to) {
        put(named(like, op), from, to);
    }

    Node named(const Node& like, std::string_view op) const {
        return {.op = &given_.ops->at(op),
                .inputs = {},
                .outputs = {},
                .attributes = {},
                .origin = like.origin,
                .pass = like.pass,
                .role = like.role};
    }

    /// Adds an op whose letters are the dims of the result: where one is split, all operands are
    /// split.
    void put(Node node, std::vector<PlacedId> inputs, PlacedId output) {
        node.attributes = completed(std::move(node.attributes), node.op->attributes);
        const Placed placed = made_.at(output);
        Node typed = node;
        for (const PlacedId input : inputs) {
            typed.inputs.push_back(made_.at(input).value);
        }
        typed.outputs = {placed.value};
        const Rule& rule = book_.ruleOf(graph_, typed).rule;
        std::vector<std::string> letters;
        for (const Placement& placement : placed.placements) {
            const auto dim = static_cast<std::size_t>(std::max(0, placement.dim));
            letters.push_back(placement.isSplit()
                                  ? rule.letters[static_cast<std::size_t>(
                                                     rule.results[0].value.dims[dim].letters[0])]
                                        .name
                                  : "");
        }
        addOp(std::move(node), {.node = {},
                                .inputs = std::move(inputs),
                                .outputs = {output},
                                .mesh = placed.mesh,
                                .name = {},
                                .origin = {},
                                .letters = std::move(letters)});
    }

    const Plan& given_;
    const UnrollScope laying_;
    Graph graph_;
    Plan made_;
    RuleBook book_;
};

} // namespace

std::string roundName(std::int64_t position) { return fmt::format(" iteration {}", position); }

bool needsUnrolling(const Plan& body) {
    return communicates(body) || std::ranges::any_of(body.nodes, [](const PlanNode& node) {
               return node.body && draws(*node.body);
           });
}

std::shared_ptr<const Plan> unrolled(std::shared_ptr<const Plan> plan, UnrollScope scope) {
    const bool isLaidOut = std::ranges::any_of(plan->nodes, [&](const PlanNode& node) {
        return node.body && (scope == UnrollScope::all || needsUnrolling(*node.body));
    });
    if (isLaidOut) {
        plan = std::make_shared<const Plan>(Unrolling(*plan, scope).run());
    }
    return plan;
}

Placements withRounds(Placements placements) {
    for (Placement& placement : placements) {
        placement.dim += placement.isSplit() ? 1 : 0;
    }
    return placements;
}

Placements withoutRounds(Placements placements) {
    for (Placement& placement : placements) {
        if (placement.isSplit() && placement.dim == 0) {
            placement = {};
        }
        placement.dim -= placement.isSplit() ? 1 : 0;
    }
    return placements;
}

} // namespace weft
