// SPDX-License-Identifier: Apache-2.0
// Checks the invariants of a plan: values are computed before they are used, ops have legal rows
// with one set of cuts per letter, collectives fit their placements.
#include "graph/repeat.h"
#include "place/axis_cuts.h"
#include "place/plan.h"
#include "place/unroll.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>

namespace weft {

namespace {

class Verifier {
public:
    explicit Verifier(const Plan& plan) : plan_(plan), graph_(*plan.graph) {}

    void run() {
        verify(graph_);
        isThere_.assign(plan_.values.size(), false);
        for (std::uint32_t k = 0; k < plan_.values.size(); ++k) {
            const Placed& placed = plan_.values[k];
            isThere_[k] = placed.producer.isNone();
            if (!isWellFormed(graph_.at(placed.value).shape, plan_.at(placed.mesh),
                              placed.placements)) {
                broken(fmt::format("{} is placed as {} on {} devices, which does not fit {}",
                                   graph_.at(placed.value).name, toString(placed.placements),
                                   plan_.at(placed.mesh).devices.size(),
                                   toString(graph_.at(placed.value).shape)));
            }
        }
        std::uint32_t nextNode = 0;
        for (std::uint32_t n = 0; n < plan_.nodes.size(); ++n) {
            const PlanNode& node = plan_.nodes[n];
            for (const PlacedId input : node.inputs) {
                if (!isThere_[input.value]) {
                    broken(fmt::format("node {} reads value {} before a node computes it", n,
                                       input.value));
                }
            }
            for (const PlacedId output : node.outputs) {
                if (isThere_[output.value] || plan_.at(output).producer != PlanNodeId{n}) {
                    broken(fmt::format("value {} names another producer than node {}", output.value,
                                       n));
                }
                isThere_[output.value] = true;
            }
            if (node.node.isNone()) {
                verifyCollective(node);
            } else {
                if (node.node != NodeId{nextNode++}) {
                    broken(fmt::format("node {} is not in the order of the graph", n));
                }
                verifyOp(node);
            }
        }
        verifyEnds(nextNode);
    }

private:
    [[noreturn]] static void broken(const std::string& what, const std::string& op = {}) {
        throw Error(ErrorCode::bug, Where{.op = op}, "plan: " + what,
                    "this is a fault of Weft: please report it with the design");
    }

    void verifyCollective(const PlanNode& node) const {
        if (node.inputs.size() != node.outputs.size() || node.inputs.empty()) {
            broken(fmt::format("{} changes {} values into {}", node.name, node.inputs.size(),
                               node.outputs.size()));
        }
        for (std::size_t k = 0; k < node.inputs.size(); ++k) {
            const Placed& from = plan_.at(node.inputs[k]);
            const Placed& to = plan_.at(node.outputs[k]);
            const CollectiveKind kind = kindOf(graph_.at(from.value).shape, plan_.at(from.mesh),
                                               from.placements, plan_.at(to.mesh), to.placements);
            if (from.value != to.value || kind != node.collective) {
                broken(fmt::format("{}: {} to {} is called {}, not {}", node.name,
                                   toString(from.placements), toString(to.placements), nameOf(kind),
                                   nameOf(node.collective)));
            }
        }
    }

    void verifyOp(const PlanNode& planned) {
        const Node& node = graph_.at(planned.node);
        if (node.body) {
            verifyRepeat(planned, node);
            return;
        }
        const NodeRule& rule = book_.ruleOf(graph_, node);
        for (std::size_t k = 0; k < node.inputs.size(); ++k) {
            checkValue(planned, node.inputs[k], planned.inputs[k], node);
        }
        for (std::size_t k = 0; k < node.outputs.size(); ++k) {
            checkValue(planned, node.outputs[k], planned.outputs[k], node);
        }
        for (std::size_t axis = 0; axis < plan_.at(planned.mesh).axes(); ++axis) {
            verifyRow(planned, node, rule, axis);
        }
    }

    /// An iteration begins with the operands' placements, and carried values end it in the same
    /// placements.
    void verifyRepeat(const PlanNode& planned, const Node& node) const {
        ensure(planned.body != nullptr, "a repeat is placed together with its body");
        const Plan& body = *planned.body;
        weft::verify(body);
        const RepeatForm form = repeatForm(node);
        for (std::size_t k = 0; k < node.inputs.size(); ++k) {
            checkValue(planned, node.inputs[k], planned.inputs[k], node);
            const bool isSliced = k >= form.carried && k < form.carried + form.sliced;
            checkRound(planned.inputs[k], body, body.feeds[k], isSliced);
        }
        for (std::size_t k = 0; k < node.outputs.size(); ++k) {
            checkValue(planned, node.outputs[k], planned.outputs[k], node);
            checkRound(planned.outputs[k], body, body.results[k], k >= form.carried + form.summed);
        }
        for (std::size_t k = 0; k < form.carried; ++k) {
            checkRound(planned.inputs[k], body, body.results[k], false);
        }
    }

    void checkRound(PlacedId outside, const Plan& body, PlacedId inside, bool isPerRound) const {
        Placements placements = body.at(body.at(inside).mesh) == plan_.at(plan_.at(outside).mesh)
                                    ? body.at(inside).placements
                                    : Placements{};
        if (isPerRound) {
            placements = withRounds(std::move(placements));
        }
        if (placements != plan_.at(outside).placements) {
            broken(fmt::format("an iteration places {} as {}, but its repeat places it as {}",
                               body.valueOf(inside).name, toString(body.at(inside).placements),
                               toString(plan_.at(outside).placements)));
        }
    }

    void checkValue(const PlanNode& planned, ValueId value, PlacedId placed,
                    const Node& node) const {
        if (plan_.at(placed).value != value || plan_.at(placed).mesh != planned.mesh) {
            broken("an operand or result is a different value, or is on a different mesh",
                   node.op->name);
        }
    }

    void verifyRow(const PlanNode& planned, const Node& node, const NodeRule& rule,
                   std::size_t axis) const {
        const std::string& name = planned.letters[axis];
        const Letter letter = name.empty() ? noLetter : rule.rule.find(name);
        const auto kinds = [&](const std::vector<PlacedId>& values) {
            std::vector<Placement::Kind> list;
            list.reserve(values.size());
            for (const PlacedId id : values) {
                list.push_back(plan_.at(id).placements[axis].kind);
            }
            return list;
        };
        const auto row = std::ranges::find_if(rule.rows, [&](const PlacementRow& each) {
            return each.letter == letter && each.operands == kinds(planned.inputs) &&
                   each.results == kinds(planned.outputs);
        });
        if (row == rule.rows.end()) {
            std::string text;
            for (const auto* side : {&planned.inputs, &planned.outputs}) {
                for (const PlacedId id : *side) {
                    text += toString(plan_.at(id).placements) + ", ";
                }
            }
            broken(fmt::format("no placement row over `{}` of axis {} allows {}", name, axis, text),
                   node.op->name);
        }
        if (letter == noLetter) {
            return;
        }
        std::vector<std::int64_t> cuts;
        for (std::size_t k = 0; k < planned.inputs.size(); ++k) {
            checkCuts(rule, rule.rule.operands[k], letter, plan_.at(planned.inputs[k]), axis, cuts);
        }
        for (std::size_t k = 0; k < planned.outputs.size(); ++k) {
            checkCuts(rule, rule.rule.results[k].value, letter, plan_.at(planned.outputs[k]), axis,
                      cuts);
        }
    }

    /// Checks that all values with the letter are cut at the same positions.
    void checkCuts(const NodeRule& rule, const RuleValue& value, Letter letter,
                   const Placed& placed, std::size_t axis, std::vector<std::int64_t>& cuts) const {
        const RuleValue::LetterPlace place = value.find(letter);
        if (place.dim < 0) {
            return;
        }
        const Placement& placement = placed.placements[axis];
        const std::int64_t step =
            rule.strideOf(value.dims[static_cast<std::size_t>(place.dim)], place.indexInDim);
        std::vector<std::int64_t> own = placement.cuts;
        for (std::int64_t& at : own) {
            if (at % step != 0) {
                broken("a split cuts a composite dim inside one stride of its letter",
                       rule.op->name);
            }
            at /= step;
        }
        if (placement.dim != place.dim || (!cuts.empty() && own != cuts)) {
            broken(fmt::format("values with the letter `{}` are split at different positions",
                               rule.rule.letters[static_cast<std::size_t>(letter)].name),
                   rule.op->name);
        }
        cuts = std::move(own);
    }

    void verifyEnds(std::uint32_t nodes) const {
        ensure(nodes == graph_.nodes.size(), "every node of the graph is in the plan");
        ensure(plan_.slots.size() == graph_.slots.size(), "every slot has a placement of its own");
        ensure(plan_.feeds.size() == graph_.feeds.size() + graph_.bodyInputs.size(),
               "every feed is placed");
        ensure(plan_.results.size() == graph_.results.size() + graph_.bodyOutputs.size(),
               "every result is placed");
        for (const SlotHome& home : plan_.slots) {
            const Slot& slot = graph_.at(home.slot);
            const Placed& at = plan_.at(home.home);
            ensure(at.value == slot.value && at.producer.isNone(),
                   "the placement of a slot holds that slot");
            ensure(home.next.isNone() == slot.next.isNone(),
                   "a slot that is written returns to its own placement");
            if (!home.next.isNone()) {
                const Placed& next = plan_.at(home.next);
                ensure(next.value == slot.next && next.mesh == at.mesh &&
                           next.placements == at.placements,
                       "a slot is written on the mesh of its own placement");
            }
        }
        for (std::size_t k = 0; k < plan_.results.size(); ++k) {
            const bool isBody = graph_.results.empty();
            ensure(plan_.at(plan_.results[k]).value ==
                       (isBody ? graph_.bodyOutputs[k] : graph_.results[k].value),
                   "a result of the plan is the result of the graph");
            ensure(isThere_[plan_.results[k].value], "every result is computed");
        }
    }

    const Plan& plan_;
    const Graph& graph_;
    RuleBook book_;
    std::vector<bool> isThere_;
};

} // namespace

void verify(const Plan& plan) { Verifier(plan).run(); }

} // namespace weft
