// SPDX-License-Identifier: Apache-2.0
// Groups are walked by scopes, one per copy: a scope knows its layers, what its parameters are
// worth and where its group's inputs come from. Wires are followed backwards through groups and
// bypassed layers to the layer that makes the value.
#include "lower/expand.h"

#include "base/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>

namespace weft {

namespace {

struct Source {
    std::size_t layer = 0;
    std::string port;
};

struct Scope {
    const Network* network = nullptr;
    const GroupDefinition* definition = nullptr; ///< nullptr: the top level
    Scope* parent = nullptr;
    LayerId group = {};    ///< the group layer in the parent's network
    std::int64_t copy = 0; ///< which of its repeats
    std::uint32_t instance = 0;
    std::string prefix;
    Attributes parameters;
    std::optional<Assignment> assignment;
    std::map<LayerId, std::size_t> real; ///< layer -> position in the expanded list
    std::map<LayerId, std::vector<std::unique_ptr<Scope>>> copies;
};

class Expander {
public:
    Expander(const Design& design, const std::vector<LayerKindInfo>& kinds)
        : design_(design), kinds_(kinds) {
        top_.network = &design.network;
    }

    ExpandedDesign run() {
        addLayers(top_);
        connect(top_);
        dropUnfed();
        sortByNeed();
        return std::move(result_);
    }

private:
    void addProblem(std::string code, const Scope& scope, const Layer* layer, std::string text,
                    std::string fix) {
        result_.problems.push_back({.code = std::move(code),
                                    .layer = layer == nullptr ? LayerId{} : layer->id,
                                    .layerName = layer == nullptr ? "" : scope.prefix + layer->name,
                                    .text = std::move(text),
                                    .fix = {std::move(fix), {}}});
    }

    void addLayers(Scope& scope) {
        for (const Layer& layer : scope.network->layers) {
            if (layer.muted || layer.bypassed) {
                continue;
            }
            if (layer.kind == "group") {
                addCopies(scope, layer);
            } else if (const LayerKindInfo* kind = findKind(kinds_, layer.kind)) {
                addLayer(scope, layer, *kind);
            }
        }
    }

    void addLayer(Scope& scope, const Layer& layer, const LayerKindInfo& kind) {
        ExpandedLayer made{.origin = {layer.id, scope.instance},
                           .name = scope.prefix + layer.name,
                           .kind = layer.kind,
                           .attributes = completed(valuesOf(scope, layer), kind.attributes),
                           .inputs = {},
                           .assignment = {}};
        const std::optional<Assignment>& assigned =
            layer.assignment ? layer.assignment : scope.assignment;
        made.isAssigned = assigned.has_value();
        made.assignment = assigned.value_or(Assignment{});
        scope.real[layer.id] = result_.layers.size();
        result_.layers.push_back(std::move(made));
    }

    /// The attributes with their expressions worked out in the scope.
    Attributes valuesOf(const Scope& scope, const Layer& layer) {
        Attributes values = layer.attributes;
        for (const auto& [name, text] : layer.expressions) {
            Evaluation evaluated = evaluate(text, scope.parameters);
            if (evaluated.value) {
                values.set(name, std::move(*evaluated.value));
            } else {
                addProblem("E023", scope, &layer,
                           fmt::format("{} = {}: {} (at character {})", name, text,
                                       evaluated.problem, evaluated.position + 1),
                           "mend the expression or type a number");
                result_.problems.back().attribute = name;
            }
        }
        return values;
    }

    void addCopies(Scope& scope, const Layer& layer) {
        const GroupDefinition* definition = design_.group(layer.group);
        if (definition == nullptr) {
            addProblem("E021", scope, &layer, "there is no group \"" + layer.group + "\"",
                       "define it, or remove the layer");
            return;
        }
        for (const Scope* outer = &scope; outer != nullptr; outer = outer->parent) {
            if (outer->definition == definition) {
                addProblem("E022", scope, &layer, "the group " + layer.group + " contains itself",
                           "take this copy out");
                return;
            }
        }
        Attributes parameters = definition->parameters;
        const Attributes overrides = valuesOf(scope, layer);
        for (const auto& [name, value] : overrides.entries()) {
            parameters.set(name, value);
        }
        auto& copies = scope.copies[layer.id];
        for (std::int64_t copy = 0; copy < std::max<std::int64_t>(1, layer.repeat); ++copy) {
            auto inner = std::make_unique<Scope>();
            inner->network = &definition->network;
            inner->definition = definition;
            inner->parent = &scope;
            inner->group = layer.id;
            inner->copy = copy;
            inner->instance = ++instances_;
            inner->prefix = scope.prefix + layer.name +
                            (layer.repeat > 1 ? fmt::format("[{}]/", copy + 1) : "/");
            inner->parameters = parameters;
            inner->assignment = layer.assignment ? layer.assignment : scope.assignment;
            addLayers(*inner);
            copies.push_back(std::move(inner));
        }
    }

    void connect(Scope& scope) {
        for (const auto& [id, index] : scope.real) {
            for (const std::string& port : portsOf(scope, id)) {
                std::string scheme;
                if (const auto source = sourceInto(scope, {id, port}, scheme, 0)) {
                    result_.layers[index].inputs.push_back(
                        {port, source->layer, source->port, scheme});
                }
            }
        }
        for (auto& [id, copies] : scope.copies) {
            for (auto& copy : copies) {
                connect(*copy);
            }
        }
    }

    /// Input ports of a layer that something is drawn into, first by the kind's order, then by the
    /// number in the name.
    std::vector<std::string> portsOf(const Scope& scope, LayerId id) const {
        std::vector<std::string> ports;
        for (const Wire& wire : scope.network->wires) {
            if (wire.to.layer == id) {
                ports.push_back(wire.to.port);
            }
        }
        if (scope.definition != nullptr) {
            for (const GroupPort& input : scope.definition->inputs) {
                for (const Endpoint& inside : input.inside) {
                    if (inside.layer == id) {
                        ports.push_back(inside.port);
                    }
                }
            }
        }
        std::ranges::sort(ports, [](const std::string& a, const std::string& b) {
            return std::pair(a.size(), a) < std::pair(b.size(), b);
        });
        ports.erase(std::ranges::unique(ports).begin(), ports.end());
        return ports;
    }

    /// What arrives at an input port.
    std::optional<Source> sourceInto(Scope& scope, const Endpoint& to, std::string& scheme,
                                     int depth) {
        constexpr int deepest = 100000; // a circle through bypassed layers ends here
        if (depth > deepest) {
            return {};
        }
        const auto wire = std::ranges::find(scope.network->wires, to, &Wire::to);
        if (wire != scope.network->wires.end()) {
            scheme = scheme.empty() ? wire->scheme : scheme;
            return sourceOf(scope, wire->from, scheme, depth + 1);
        }
        if (scope.definition == nullptr) {
            return {};
        }
        for (std::size_t k = 0; k < scope.definition->inputs.size(); ++k) {
            const GroupPort& input = scope.definition->inputs[k];
            if (std::ranges::find(input.inside, to) != input.inside.end()) {
                return sourceOfGroupInput(scope, k, scheme, depth + 1);
            }
        }
        return {};
    }

    /// The first input of a repeated copy is the output of the copy before; the others are shared
    /// by all copies.
    std::optional<Source> sourceOfGroupInput(Scope& scope, std::size_t input, std::string& scheme,
                                             int depth) {
        if (scope.copy > 0 && input < scope.definition->outputs.size()) {
            Scope& before =
                *scope.parent->copies[scope.group][static_cast<std::size_t>(scope.copy - 1)];
            const auto& inside = scope.definition->outputs[input].inside;
            return inside.empty() ? std::nullopt : sourceOf(before, inside.front(), scheme, depth);
        }
        return sourceInto(*scope.parent, {scope.group, scope.definition->inputs[input].name},
                          scheme, depth);
    }

    /// Who makes what leaves an output port.
    std::optional<Source> sourceOf(Scope& scope, const Endpoint& from, std::string& scheme,
                                   int depth) {
        const Layer* layer = findLayer(*scope.network, from.layer);
        if (layer == nullptr || layer->muted) {
            return {};
        }
        if (layer->bypassed) {
            const std::string first = firstInput(*layer);
            return first.empty() ? std::nullopt
                                 : sourceInto(scope, {layer->id, first}, scheme, depth + 1);
        }
        if (layer->kind != "group") {
            const auto real = scope.real.find(layer->id);
            return real == scope.real.end() ? std::nullopt
                                            : std::optional<Source>({real->second, from.port});
        }
        const auto copies = scope.copies.find(layer->id);
        if (copies == scope.copies.end() || copies->second.empty()) {
            return {};
        }
        Scope& last = *copies->second.back();
        const auto port = std::ranges::find(last.definition->outputs, from.port, &GroupPort::name);
        if (port == last.definition->outputs.end() || port->inside.empty()) {
            return {};
        }
        return sourceOf(last, port->inside.front(), scheme, depth + 1);
    }

    std::string firstInput(const Layer& layer) const {
        if (layer.kind == "group") {
            const GroupDefinition* definition = design_.group(layer.group);
            return definition == nullptr || definition->inputs.empty()
                       ? ""
                       : definition->inputs.front().name;
        }
        const LayerKindInfo* kind = findKind(kinds_, layer.kind);
        if (kind == nullptr || kind->inputs.empty()) {
            return "";
        }
        return kind->inputs.front().variadic ? kind->inputs.front().name + "0"
                                             : kind->inputs.front().name;
    }

    [[nodiscard]] bool isFed(const ExpandedLayer& layer) const {
        const LayerKindInfo* kind = findKind(kinds_, layer.kind);
        return std::ranges::all_of(kind->inputs, [&](const PortInfo& port) {
            return port.optional ||
                   std::ranges::any_of(layer.inputs, [&](const ExpandedInput& input) {
                       return input.port == port.name ||
                              (port.variadic && input.port.starts_with(port.name));
                   });
        });
    }

    /// Where something was muted, what only it feeds goes too. A port that never had a wire is the
    /// checker's to name.
    void dropUnfed() {
        std::vector<bool> kept(result_.layers.size(), true);
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t k = 0; k < kept.size(); ++k) {
                ExpandedLayer& layer = result_.layers[k];
                std::erase_if(layer.inputs,
                              [&](const ExpandedInput& input) { return !kept[input.from]; });
                if (kept[k] && !isFed(layer)) {
                    kept[k] = false;
                    changed = true;
                }
            }
        }
        rearrange([&] {
            std::vector<std::size_t> order;
            for (std::size_t k = 0; k < kept.size(); ++k) {
                if (kept[k]) {
                    order.push_back(k);
                }
            }
            return order;
        }());
    }

    /// Keeps the layers in this order; the inputs' positions follow.
    void rearrange(const std::vector<std::size_t>& order) {
        std::vector<std::size_t> place(result_.layers.size(), 0);
        std::vector<ExpandedLayer> layers;
        layers.reserve(order.size());
        for (const std::size_t k : order) {
            place[k] = layers.size();
            layers.push_back(std::move(result_.layers[k]));
        }
        for (ExpandedLayer& layer : layers) {
            for (ExpandedInput& input : layer.inputs) {
                input.from = place[input.from];
            }
        }
        result_.layers = std::move(layers);
    }

    void sortByNeed() {
        std::vector<std::size_t> order;
        std::vector<bool> done(result_.layers.size(), false);
        for (bool moved = true; moved;) {
            moved = false;
            for (std::size_t k = 0; k < done.size(); ++k) {
                const auto& inputs = result_.layers[k].inputs;
                if (!done[k] && std::ranges::all_of(inputs, [&](const ExpandedInput& input) {
                        return done[input.from];
                    })) {
                    done[k] = true;
                    order.push_back(k);
                    moved = true;
                }
            }
        }
        if (order.size() < done.size()) {
            sayCircle(done);
        }
        rearrange(order);
    }

    void sayCircle(const std::vector<bool>& done) {
        std::string names;
        const ExpandedLayer* first = nullptr;
        for (std::size_t k = 0; k < done.size(); ++k) {
            if (!done[k]) {
                first = first == nullptr ? &result_.layers[k] : first;
                names += (names.empty() ? "" : ", ") + result_.layers[k].name;
            }
        }
        result_.problems.push_back(
            {.code = "E020",
             .layer = first->origin.layer,
             .layerName = first->name,
             .text = "these layers feed each other in a circle, or are fed by one: " + names,
             .fix = {"take out the wire that leads back", {}}});
    }

    const Design& design_;
    const std::vector<LayerKindInfo>& kinds_;
    Scope top_;
    std::uint32_t instances_ = 0;
    ExpandedDesign result_;
};

} // namespace

ExpandedDesign expand(const Design& design, const std::vector<LayerKindInfo>& kinds) {
    return Expander(design, kinds).run();
}

} // namespace weft
