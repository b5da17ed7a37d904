// SPDX-License-Identifier: Apache-2.0
#include "design/edit/editing.h"
#include "design/edit/fragment.h"
#include "design/names.h"
#include <weft/group_edits.h>

#include <fmt/format.h>

#include <algorithm>

namespace weft {

namespace {

// Moves layers from a network to a definition of their own, port by port.
class Grouping {
public:
    Grouping(Design& design, const NetworkPath& path, const std::vector<LayerId>& layers,
             std::string name)
        : design_(design), path_(path), chosen_(layers.begin(), layers.end()) {
        made_.name = std::move(name);
    }

    Edited run() {
        takeLayers();
        takeWires();
        takePortsOfGroup();
        takeFrames();
        handOnParameters();
        followNames();
        Network& network = networkAt(design_, path_);
        network.layers.insert(network.layers.begin() + static_cast<std::ptrdiff_t>(place_),
                              instance_);
        design_.groups.push_back(std::move(made_));
        return done({instance_.id}, design_.groups.back().name);
    }

private:
    [[nodiscard]] bool isChosen(LayerId layer) const { return chosen_.contains(layer); }

    void takeLayers() {
        Network& network = networkAt(design_, path_);
        instance_.id = freeLayerId(network);
        instance_.kind = groupKind;
        instance_.group = made_.name;
        std::vector<Layer> left;
        for (Layer& layer : network.layers) {
            if (!isChosen(layer.id)) {
                left.push_back(std::move(layer));
                continue;
            }
            place_ = made_.network.layers.empty() ? left.size() : place_;
            made_.network.layers.push_back(std::move(layer));
        }
        network.layers = std::move(left);
        placeInTheMiddle();
        NameMaker names(network);
        instance_.name = names.counted(made_.name);
    }

    void placeInTheMiddle() {
        const std::vector<Layer>& layers = made_.network.layers;
        const auto count = static_cast<double>(std::ranges::count_if(
            layers, [](const Layer& layer) { return layer.position.has_value(); }));
        for (const Layer& layer : layers) {
            if (layer.position) {
                const Point before = instance_.position.value_or(Point{});
                instance_.position = Point{before.x + layer.position->x / count,
                                           before.y + layer.position->y / count};
            }
        }
    }

    // Adds one port for each source outside, and one for each output inside that is used outside.
    void takeWires() {
        Network& network = networkAt(design_, path_);
        std::vector<Wire> left;
        for (Wire& wire : network.wires) {
            const bool isFromInside = isChosen(wire.from.layer);
            const bool isToInside = isChosen(wire.to.layer);
            if (isFromInside && isToInside) {
                made_.network.wires.push_back(std::move(wire));
            } else if (isToInside) {
                auto [port, isNew] = inputs_.try_emplace(wire.from, made_.inputs.size());
                if (isNew) {
                    addInput(wire.to.port);
                    const Endpoint to = {instance_.id, made_.inputs.back().name};
                    left.push_back({wire.from, to, wire.scheme, {}, wire.unknown});
                }
                made_.inputs[port->second].inside.push_back(std::move(wire.to));
            } else if (isFromInside) {
                wire.from = outputFor(wire.from);
                wire.via.clear();
                left.push_back(std::move(wire));
            } else {
                left.push_back(std::move(wire));
            }
        }
        network.wires = std::move(left);
    }

    void addInput(const std::string& wanted) {
        made_.inputs.push_back({inputNames_.unique(isPortName(wanted) ? wanted : "x"), {}});
    }

    Endpoint outputFor(const Endpoint& inside) {
        auto [port, isNew] = outputs_.try_emplace(inside, made_.outputs.size());
        if (isNew) {
            made_.outputs.push_back(
                {outputNames_.unique(isPortName(inside.port) ? inside.port : "y"), {inside}});
        }
        return {instance_.id, made_.outputs[port->second].name};
    }

    void takePortsOfGroup() {
        GroupDefinition* around = definitionAt(design_, path_);
        if (around == nullptr) {
            return;
        }
        for (GroupPort& port : around->inputs) {
            std::vector<Endpoint> left;
            std::vector<Endpoint> taken;
            for (Endpoint& end : port.inside) {
                (isChosen(end.layer) ? taken : left).push_back(std::move(end));
            }
            if (!taken.empty()) {
                addInput(taken.front().port);
                made_.inputs.back().inside = std::move(taken);
                left.push_back({instance_.id, made_.inputs.back().name});
            }
            port.inside = std::move(left);
        }
        for (GroupPort& port : around->outputs) {
            for (Endpoint& end : port.inside) {
                end = isChosen(end.layer) ? outputFor(end) : end;
            }
        }
    }

    void takeFrames() {
        Network& network = networkAt(design_, path_);
        std::vector<Frame> left;
        for (Frame& frame : network.frames) {
            const bool isInside =
                !frame.layers.empty() &&
                std::ranges::all_of(frame.layers, [&](LayerId id) { return isChosen(id); });
            if (!isInside) {
                std::erase_if(frame.layers, [&](LayerId layer) { return isChosen(layer); });
            }
            (isInside ? made_.network.frames : left).push_back(std::move(frame));
        }
        network.frames = std::move(left);
    }

    // Passes parameters that expressions inside use to the instance under their own names.
    void handOnParameters() {
        const Attributes& parameters = parametersAt(design_, path_);
        for (const Layer& layer : made_.network.layers) {
            for (const auto& [attribute, expression] : layer.expressions) {
                for (const std::string& name : namesIn(expression)) {
                    if (const AttributeValue* value = parameters.find(name)) {
                        made_.parameters.set(name, *value);
                        instance_.attributes.set(name, *value);
                        instance_.expressions[name] = name;
                    }
                }
            }
        }
    }

    // Updates the layers' names in data feeds and shared weights.
    void followNames() {
        for (const Layer& layer : made_.network.layers) {
            followRename(design_, path_, layer.name,
                         fmt::format("{}/{}", instance_.name, layer.name));
        }
    }

    Design& design_;
    const NetworkPath& path_;
    std::set<LayerId> chosen_;
    GroupDefinition made_ = {};
    Layer instance_ = {};
    std::size_t place_ = 0;
    std::map<Endpoint, std::size_t> inputs_ = {};
    std::map<Endpoint, std::size_t> outputs_ = {};
    NameMaker inputNames_ = {};
    NameMaker outputNames_ = {};
};

} // namespace

Edited makeGroup(Design& design, const NetworkPath& path, const std::vector<LayerId>& layers,
                 std::string_view name) {
    if (auto missing = missingLayer(networkAt(design, path), layers)) {
        return *missing;
    }
    if (layers.empty()) {
        return refused("a group needs at least one layer", "select layers first");
    }
    if (!name.empty() && !isLayerName(name)) {
        return refused(fmt::format("'{}' cannot be a name", name),
                       "use no /, [, ], -> and no control characters");
    }
    NameMaker names = groupNames(design);
    return Grouping(design, path, layers,
                    name.empty() ? names.counted("group") : names.unique(name))
        .run();
}

} // namespace weft
