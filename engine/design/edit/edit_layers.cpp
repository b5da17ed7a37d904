// SPDX-License-Identifier: Apache-2.0
#include "design/edit/editing.h"
#include "design/edit/verify.h"
#include "design/names.h"
#include "design/ports.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace weft {

namespace {

// Removes references to deleted layers, by id or, at the top level, by name.
void forget(Design& design, const NetworkPath& path, const std::set<LayerId>& gone) {
    Network& network = networkAt(design, path);
    if (path.group.empty()) {
        for (const Layer& layer : network.layers) {
            if (gone.contains(layer.id)) {
                design.data.feeds.erase(layer.name);
            }
        }
    }
    std::erase_if(network.layers, [&](const Layer& layer) { return gone.contains(layer.id); });
    std::erase_if(network.wires, [&](const Wire& wire) {
        return gone.contains(wire.from.layer) || gone.contains(wire.to.layer);
    });
    const auto isGone = [&](const Endpoint& end) { return gone.contains(end.layer); };
    for (Frame& frame : network.frames) {
        std::erase_if(frame.layers, [&](LayerId layer) { return gone.contains(layer); });
    }
    if (GroupDefinition* group = definitionAt(design, path)) {
        for (GroupPort& port : group->inputs) {
            std::erase_if(port.inside, isGone);
        }
        for (GroupPort& port : group->outputs) {
            std::erase_if(port.inside, isGone);
        }
    }
}

// Returns the first input that the kind declares; if it declares none, the first that a wire
// feeds.
Endpoint firstInput(const Design& design, const NetworkPath& path, const Layer& layer,
                    const std::vector<LayerKindInfo>& kinds) {
    std::vector<std::string> fed;
    for (const Wire& wire : networkAt(design, path).wires) {
        if (wire.to.layer == layer.id) {
            fed.push_back(wire.to.port);
        }
    }
    if (const GroupDefinition* group = definitionAt(design, path)) {
        for (const GroupPort& port : group->inputs) {
            for (const Endpoint& end : port.inside) {
                if (end.layer == layer.id) {
                    fed.push_back(end.port);
                }
            }
        }
    }
    const PortTable table(design, kinds);
    const LayerPorts* ports = table.of(layer);
    const PortInfo* first =
        ports == nullptr || ports->inputs.empty() ? nullptr : &ports->inputs.front();
    if (first != nullptr && !first->variadic) {
        return {layer.id, first->name};
    }
    std::ranges::sort(fed, [](const std::string& a, const std::string& b) {
        return std::pair(a.size(), a) < std::pair(b.size(), b);
    });
    return {layer.id, fed.empty() ? std::string() : fed.front()};
}

void dissolveOne(Design& design, const NetworkPath& path, LayerId id,
                 const std::vector<LayerKindInfo>& kinds) {
    Network& network = networkAt(design, path);
    const Endpoint input = firstInput(design, path, *layerIn(network, id), kinds);
    const auto feeding = std::ranges::find(network.wires, input, &Wire::to);
    if (feeding != network.wires.end()) {
        const Endpoint source = feeding->from;
        for (Wire& wire : network.wires) {
            if (wire.from.layer == id) {
                wire.from = source;
            }
        }
        if (GroupDefinition* group = definitionAt(design, path)) {
            for (GroupPort& port : group->outputs) {
                for (Endpoint& end : port.inside) {
                    end = end.layer == id ? source : end;
                }
            }
        }
    } else if (GroupDefinition* group = definitionAt(design, path)) {
        for (GroupPort& port : group->inputs) {
            if (std::ranges::find(port.inside, input) == port.inside.end()) {
                continue;
            }
            for (const Wire& wire : network.wires) {
                if (wire.from.layer == id && wire.to.layer != id) {
                    port.inside.push_back(wire.to);
                }
            }
        }
    }
    forget(design, path, {id});
}

Edited setFlag(Network& network, const std::vector<LayerId>& layers, bool Layer::*flag,
               bool value) {
    if (auto missing = missingLayer(network, layers)) {
        return *missing;
    }
    for (const LayerId id : layers) {
        layerIn(network, id)->*flag = value;
    }
    return done(layers);
}

} // namespace

Edited addLayer(Design& design, const NetworkPath& path, Layer layer) {
    Network& network = networkAt(design, path);
    if (layer.kind.empty()) {
        return refused("a layer needs a kind", "choose a kind");
    }
    if (!layer.name.empty() && !isLayerName(layer.name)) {
        return refused(fmt::format("'{}' cannot be a name", layer.name),
                       "use no /, [, ], -> and no control characters");
    }
    if (layer.repeat < 1 ||
        (layer.kind != groupKind && (layer.repeat > 1 || !layer.group.empty()))) {
        return refused("only groups can be repeated, and the number of copies must be at least 1",
                       "choose another number of copies");
    }
    if (!path.group.empty() && !layer.group.empty() && holds(design, layer.group, path.group)) {
        return refused(fmt::format("group {} would contain itself", path.group),
                       "add the instance outside that group");
    }
    NameMaker names(network);
    if (layer.name.empty()) {
        const std::string& stem = layer.group.empty() ? layer.kind : layer.group;
        layer.name = names.counted(isLayerName(stem) ? stem : "layer");
    } else {
        layer.name = names.unique(layer.name);
    }
    if (layer.id.isNone() || findLayer(network, layer.id) != nullptr) {
        layer.id = freeLayerId(network);
    }
    if (const std::string broken = brokenInvariant(layer); !broken.empty()) {
        return refused(
            fmt::format("the new layer would break an invariant of the design: {}", broken),
            "correct the layer first");
    }
    network.layers.push_back(std::move(layer));
    return done({network.layers.back().id}, network.layers.back().name);
}

Edited removeLayers(Design& design, const NetworkPath& path, const std::vector<LayerId>& layers) {
    if (auto missing = missingLayer(networkAt(design, path), layers)) {
        return *missing;
    }
    forget(design, path, {layers.begin(), layers.end()});
    return done();
}

Edited dissolve(Design& design, const NetworkPath& path, const std::vector<LayerId>& layers,
                const std::vector<LayerKindInfo>& kinds) {
    if (auto missing = missingLayer(networkAt(design, path), layers)) {
        return *missing;
    }
    for (const LayerId layer : std::set<LayerId>(layers.begin(), layers.end())) {
        dissolveOne(design, path, layer, kinds);
    }
    return done();
}

Edited renameLayer(Design& design, const NetworkPath& path, LayerId id, std::string_view name) {
    Network& network = networkAt(design, path);
    Layer* layer = layerIn(network, id);
    if (layer == nullptr) {
        return *missingLayer(network, {id});
    }
    if (!isLayerName(name)) {
        return refused(fmt::format("'{}' cannot be a name", name),
                       "use no /, [, ], -> and no control characters", layer);
    }
    const std::string before = layer->name;
    if (before == name) {
        return done({id}, before);
    }
    layer->name.clear();
    NameMaker names(network);
    layer->name = names.unique(name);
    const std::string now = layer->name;
    followRename(design, path, before, now);
    return done({id}, now);
}

Edited setKind(Design& design, const NetworkPath& path, LayerId id, std::string kind) {
    Layer* layer = layerIn(networkAt(design, path), id);
    if (layer == nullptr) {
        return *missingLayer(networkAt(design, path), {id});
    }
    if (kind.empty() || kind == groupKind) {
        return refused("the kind of a layer can be neither empty nor group",
                       "choose a kind from the catalogue", layer);
    }
    layer->kind = std::move(kind);
    layer->group.clear();
    layer->repeat = 1;
    return done({id});
}

Edited setMuted(Design& design, const NetworkPath& path, const std::vector<LayerId>& layers,
                bool muted) {
    return setFlag(networkAt(design, path), layers, &Layer::muted, muted);
}

Edited setBypassed(Design& design, const NetworkPath& path, const std::vector<LayerId>& layers,
                   bool bypassed) {
    return setFlag(networkAt(design, path), layers, &Layer::bypassed, bypassed);
}

Edited setPinned(Design& design, const NetworkPath& path, const std::vector<LayerId>& layers,
                 bool pinned) {
    return setFlag(networkAt(design, path), layers, &Layer::pinned, pinned);
}

Edited setNote(Design& design, const NetworkPath& path, LayerId id, std::string note) {
    Layer* layer = layerIn(networkAt(design, path), id);
    if (layer == nullptr) {
        return *missingLayer(networkAt(design, path), {id});
    }
    layer->note = std::move(note);
    return done({id});
}

} // namespace weft
