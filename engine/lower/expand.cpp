// SPDX-License-Identifier: Apache-2.0
#include "lower/expand.h"

#include "base/check_attributes.h"
#include "lower/copies.h"
#include "lower/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <queue>
#include <unordered_map>
#include <unordered_set>

namespace weft {

namespace {

// Common to all kinds with parameters: the name of the layer whose weights are shared.
constexpr std::string_view shareAttribute = "share";

struct TracedInput {
    std::string port;
    TracedSource source;
};

class Expanding {
public:
    Expanding(const Design& design, const std::vector<LayerKindInfo>& kinds)
        : design_(design),
          table_(design, kinds),
          copies_(design, kinds, table_, problems_),
          inputs_(copies_.layerCopies().size()),
          state_(copies_.layerCopies().size(), State::waiting) {
        for (const LayerKindInfo& kind : kinds) {
            kinds_.emplace(kind.kind, &kind);
        }
    }

    ExpandedDesign run() {
        checkDevices(design_, problems_);
        checkAssignment(design_, design_.assignment, {}, problems_);
        made_.isWhole = copies_.isWhole();
        if (made_.isWhole) {
            trace();
            emit(sorted());
            checkFeeds();
            checkShares();
        }
        made_.problems = problems_.take();
        return std::move(made_);
    }

private:
    enum class State : std::uint8_t {
        waiting,
        alive,
        leftOut, ///< fed by a muted layer
        broken   ///< fed by a broken layer, or in a cycle: reported already
    };

    [[nodiscard]] const LayerCopy& layerCopy(std::size_t index) const {
        return copies_.layerCopies()[index];
    }

    void trace() {
        SourceTracer trace(copies_, table_, problems_);
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            const auto& [copy, layer] = layerCopy(i);
            const NetworkIndex& index = *copies_.all()[copy].index;
            const LayerPorts* ports = table_.of(*layer);
            const auto follow = [&](const Endpoint& end) {
                if (ports == nullptr || findPort(ports->inputs, end.port) != nullptr) {
                    inputs_[i].push_back({end.port, trace.sourceOf(copy, end)});
                }
            };
            if (hasTooManyInputs(index, layer->id)) {
                inputs_[i].push_back({}); // reported already
                continue;
            }
            for (const Wire* wire : index.wiresInto(layer->id)) {
                follow(wire->to);
            }
            for (const Endpoint& end : index.portsFedByGroup(layer->id)) {
                follow(end);
            }
            inPortOrder(inputs_[i], ports);
        }
    }

    // Sorts inputs as the kind declares its ports; x0, x1, ... by number.
    static void inPortOrder(std::vector<TracedInput>& inputs, const LayerPorts* ports) {
        if (ports == nullptr || inputs.size() < 2) {
            return;
        }
        const auto rank = [&](const TracedInput& input) {
            const PortInfo* port = findPort(ports->inputs, input.port);
            const auto place = static_cast<std::size_t>(port - ports->inputs.data());
            return std::pair(place, variadicNumber(port->name, input.port).value_or(0));
        };
        std::ranges::stable_sort(inputs, {}, rank);
    }

    // Keeps the order of the file as far as the wires allow. Layers that still wait are in a cycle
    // or behind one.
    std::vector<std::size_t> sorted() {
        std::vector<std::vector<std::size_t>> fed(inputs_.size());
        std::vector<std::size_t> missing(inputs_.size(), 0);
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            for (const TracedInput& input : inputs_[i]) {
                if (input.source.outcome == TracedSource::Outcome::layer) {
                    fed[input.source.layerCopy].push_back(i);
                    ++missing[i];
                }
            }
        }
        std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            if (missing[i] == 0) {
                ready.push(i);
            }
        }
        std::vector<std::size_t> order;
        while (!ready.empty()) {
            const std::size_t i = ready.top();
            ready.pop();
            state_[i] = stateOf(i);
            if (state_[i] == State::alive) {
                order.push_back(i);
            }
            for (const std::size_t next : fed[i]) {
                if (--missing[next] == 0) {
                    ready.push(next);
                }
            }
        }
        made_.isWhole = std::ranges::none_of(
            state_, [](State state) { return state == State::broken || state == State::waiting; });
        reportCycles();
        return order;
    }

    [[nodiscard]] State stateOf(const TracedInput& input) const {
        switch (input.source.outcome) {
        case TracedSource::Outcome::layer: return state_[input.source.layerCopy];
        case TracedSource::Outcome::leftOut: return State::leftOut;
        case TracedSource::Outcome::broken: break;
        }
        return State::broken;
    }

    // A layer is left out if a required input is left out, or everything that feeds it.
    State stateOf(std::size_t i) {
        const LayerPorts* ports = table_.of(*layerCopy(i).layer);
        bool isWanting = false;
        for (const TracedInput& input : inputs_[i]) {
            const State state = stateOf(input);
            if (state == State::broken) {
                return State::broken;
            }
            const PortInfo* port = ports == nullptr ? nullptr : findPort(ports->inputs, input.port);
            isWanting = isWanting ||
                        (state == State::leftOut && port != nullptr &&
                         !isOptional(*port, layerCopy(i).layer->attributes) && !port->variadic);
        }
        const bool wasFed = !inputs_[i].empty();
        std::erase_if(inputs_[i],
                      [&](const TracedInput& input) { return stateOf(input) == State::leftOut; });
        return isWanting || (wasFed && inputs_[i].empty()) ? State::leftOut : State::alive;
    }

    // Every waiting layer has an input from a waiting layer, so following these inputs backwards
    // ends in a cycle.
    void reportCycles() {
        std::vector<std::size_t> walk(state_.size(), 0);
        for (std::size_t start = 0; start < state_.size(); ++start) {
            std::size_t at = start;
            while (state_[at] == State::waiting && walk[at] == 0) {
                walk[at] = start + 1;
                at = waitingSource(at);
            }
            if (state_[at] == State::waiting && walk[at] == start + 1) {
                reportCycle(at);
            }
        }
    }

    [[nodiscard]] std::size_t waitingSource(std::size_t i) const {
        const auto found = std::ranges::find_if(inputs_[i], [&](const TracedInput& input) {
            return input.source.outcome == TracedSource::Outcome::layer &&
                   state_[input.source.layerCopy] == State::waiting;
        });
        return found->source.layerCopy;
    }

    void reportCycle(std::size_t start) {
        constexpr std::size_t mostNamed = 12;
        std::vector<std::size_t> way = {start};
        for (std::size_t at = waitingSource(start); at != start; at = waitingSource(at)) {
            way.push_back(at);
        }
        std::ranges::reverse(way);
        // The message begins with the layer that is first in the file.
        std::ranges::rotate(way, std::ranges::min_element(way));
        std::string text = "cycle: ";
        for (std::size_t k = 0; k < way.size() && k < mostNamed; ++k) {
            text += copies_.nameOf(layerCopy(way[k])) + " -> ";
        }
        text += way.size() > mostNamed ? "... -> " : "";
        text += copies_.nameOf(layerCopy(way.front()));
        problems_.add(copies_.subject(layerCopy(way.front())),
                      {.code = "E011",
                       .text = std::move(text),
                       .fix = breakingWire(way.back(), way.front())});
    }

    [[nodiscard]] Fix breakingWire(std::size_t from, std::size_t to) const {
        const auto wire = std::ranges::find_if(inputs_[to], [&](const TracedInput& input) {
            return input.source.outcome == TracedSource::Outcome::layer &&
                   input.source.layerCopy == from;
        });
        const std::string path =
            fmt::format("{}.{} -> {}.{}", copies_.nameOf(layerCopy(from)), wire->source.port,
                        copies_.nameOf(layerCopy(to)), wire->port);
        return fixBy(fmt::format("remove the wire {}", path), "disconnect", {path});
    }

    void emit(const std::vector<std::size_t>& order) {
        std::vector<std::size_t> place(state_.size(), 0);
        made_.layers.reserve(order.size());
        for (const std::size_t i : order) {
            place[i] = made_.layers.size();
            ExpandedLayer made = layerOf(i);
            for (TracedInput& input : inputs_[i]) {
                made.inputs.push_back({std::move(input.port), place[input.source.layerCopy],
                                       std::move(input.source.port),
                                       std::move(input.source.scheme)});
            }
            made_.layers.push_back(std::move(made));
        }
    }

    ExpandedLayer layerOf(std::size_t i) {
        const auto& [copy, layer] = layerCopy(i);
        const Assignment* assignment =
            layer->assignment ? &*layer->assignment : copies_.all()[copy].assignment;
        ExpandedLayer made{.origin = {layer->id, static_cast<std::uint32_t>(copy)},
                           .name = copies_.nameOf(layerCopy(i)),
                           .kind = layer->kind,
                           .attributes = copies_.evaluatedAttributes(copy, *layer),
                           .inputs = {},
                           .assignment = assignment == nullptr ? Assignment{} : *assignment,
                           .isAssigned = assignment != nullptr};
        if (const auto kind = kinds_.find(layer->kind); kind != kinds_.end()) {
            made.attributes = checkedAttributes(
                made.attributes, kind->second->attributes,
                {.name = layer->kind, .layer = made.name}, [&](Diagnostic problem) {
                    // A fault of an attribute with an expression is reported with its reason
                    // elsewhere.
                    const bool isSaid = problem.code == "E006" &&
                                        layerCopy(i).layer->expressions.contains(problem.attribute);
                    isSaid ? void()
                           : problems_.add(copies_.subject(layerCopy(i)), std::move(problem));
                });
            checkFrozen(i, made, *kind->second);
        }
        resolveShare(copy, made.attributes);
        return made;
    }

    void checkFrozen(std::size_t i, const ExpandedLayer& made, const LayerKindInfo& kind) {
        const AttributeValue* frozen = made.attributes.find("frozen");
        if (frozen == nullptr || *frozen != AttributeValue(true)) {
            return;
        }
        for (const AttributeSpec& spec : kind.attributes) {
            if (spec.isOfLearning && *made.attributes.find(spec.name) != spec.defaultValue) {
                problems_.add(copies_.subject(layerCopy(i)),
                              {.code = "W072",
                               .severity = Severity::warning,
                               .attribute = spec.name,
                               .text = fmt::format("{} has no effect with frozen true", spec.name),
                               .fix = fixBy("remove it, or set frozen to false", "reset",
                                            {made.name, spec.name})});
            }
        }
    }

    // Looks for a name or path ("block[2]/fc") beside the layer first, then outside its group.
    void resolveShare(std::size_t copy, Attributes& attributes) {
        const AttributeValue* value = attributes.find(shareAttribute);
        const auto* name = value == nullptr ? nullptr : std::get_if<std::string>(value);
        if (name == nullptr || name->empty()) {
            return;
        }
        std::string_view first = std::string_view(*name).substr(0, name->find('/'));
        first = first.ends_with(']') ? first.substr(0, first.rfind('[')) : first;
        for (std::size_t at = copy;; at = copies_.all()[at].parent) {
            const NetworkCopy& around = copies_.all()[at];
            if (around.index->layer(first) != nullptr) {
                attributes.set(std::string(shareAttribute), around.prefix + *name);
                return;
            }
            if (at == 0) {
                return;
            }
        }
    }

    // Returns the name of the layer whose weights this layer shares, or an empty string.
    static std::string_view sharedBy(const ExpandedLayer& layer) {
        const AttributeValue* value = layer.attributes.find(shareAttribute);
        const auto* name = value == nullptr ? nullptr : std::get_if<std::string>(value);
        return name == nullptr ? std::string_view() : std::string_view(*name);
    }

    void checkShares() {
        std::unordered_map<std::string_view, const ExpandedLayer*> names;
        for (const ExpandedLayer& layer : made_.layers) {
            names.emplace(layer.name, &layer);
        }
        for (const ExpandedLayer& layer : made_.layers) {
            const std::string_view name = sharedBy(layer);
            if (name.empty()) {
                continue;
            }
            const auto of = names.find(name);
            if (of == names.end()) {
                refuseShare(
                    layer,
                    fmt::format("the layer shares the weights of {}, which does not exist", name));
            } else if (of->second == &layer) {
                refuseShare(
                    layer,
                    fmt::format("the layer shares the weights of {}, which is the layer itself",
                                name));
            } else if (const std::string_view owner = sharedBy(*of->second); !owner.empty()) {
                refuseShare(
                    layer,
                    fmt::format("the layer shares the weights of {}, which shares those of {}",
                                name, owner));
            }
        }
    }

    void refuseShare(const ExpandedLayer& layer, std::string text) {
        problems_.add({.code = "E014",
                       .layer = layer.origin.layer,
                       .layerName = layer.name,
                       .attribute = std::string(shareAttribute),
                       .text = std::move(text),
                       .fix = fixBy("give the layer its own weights", "reset",
                                    {layer.name, std::string(shareAttribute)})});
    }

    // Feeds must name layers whose kind has no inputs. A name that is none of these may mean a
    // layer of an unknown kind.
    void checkFeeds() {
        std::vector<std::string> begins;
        bool areKindsKnown = true;
        for (const LayerCopy& each : copies_.layerCopies()) {
            const LayerPorts* ports = table_.of(*each.layer);
            areKindsKnown = areKindsKnown && ports != nullptr;
            if (ports != nullptr && ports->inputs.empty()) {
                begins.push_back(copies_.nameOf(each));
            }
        }
        if (begins.empty() && !areKindsKnown) {
            return;
        }
        const std::unordered_set<std::string_view> known(begins.begin(), begins.end());
        const std::string others = fmt::format("use one of: {}", fmt::join(begins, ", "));
        for (const auto& [name, field] : design_.data.feeds) {
            const Layer* layer = copies_.all().front().index->layer(name);
            const bool isOff = layer != nullptr && (layer->muted || layer->bypassed);
            const bool isUnknown = layer != nullptr && table_.of(*layer) == nullptr;
            if (isOff || isUnknown || known.contains(name) || problems_.isFull()) {
                continue;
            }
            if (begins.empty()) {
                feedsNoInput(name, layer != nullptr);
                continue;
            }
            problems_.add(
                {.code = "E041",
                 .attribute = "feeds",
                 .text = fmt::format("data.feeds names {}, which is not an input layer", name),
                 .fix = fixByWord(name, begins, "rename_feed", {name}, others)});
        }
    }

    void feedsNoInput(const std::string& name, bool isTaken) {
        std::string fix =
            isTaken
                ? std::string("add a connected layer of kind input, and name that in data.feeds")
                : fmt::format(R"(add {{"name": "{}", "kind": "input"}} to the layers, and )"
                              "connect it",
                              name);
        problems_.add(
            {.code = "E041",
             .attribute = "feeds",
             .text = fmt::format("data.feeds names {}, but the design has no input layer", name),
             .fix = {std::move(fix), {}}});
    }

    const Design& design_;
    PortTable table_;
    ProblemList problems_;
    NetworkCopies copies_;
    std::unordered_map<std::string_view, const LayerKindInfo*> kinds_;
    std::vector<std::vector<TracedInput>> inputs_;
    std::vector<State> state_;
    ExpandedDesign made_;
};

bool leavesPortsOut(const Network& network) {
    return std::ranges::any_of(network.wires, [](const Wire& wire) {
        return wire.from.port.empty() || wire.to.port.empty();
    });
}

bool leavesPortsOut(const std::vector<GroupPort>& ports) {
    return std::ranges::any_of(ports, [](const GroupPort& port) {
        return std::ranges::any_of(port.inside,
                                   [](const Endpoint& end) { return end.port.empty(); });
    });
}

} // namespace

ExpandedDesign expand(const Design& design, const std::vector<LayerKindInfo>& kinds) {
    const bool isOpen = leavesPortsOut(design.network) ||
                        std::ranges::any_of(design.groups, [](const GroupDefinition& group) {
                            return leavesPortsOut(group.network) || leavesPortsOut(group.inputs) ||
                                   leavesPortsOut(group.outputs);
                        });
    if (!isOpen) {
        return Expanding(design, kinds).run();
    }
    Design resolved = design;
    resolvePorts(resolved, kinds);
    return Expanding(resolved, kinds).run();
}

} // namespace weft
