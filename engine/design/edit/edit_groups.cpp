// SPDX-License-Identifier: Apache-2.0
#include "design/edit/editing.h"
#include "design/edit/fragment.h"
#include "design/names.h"
#include <weft/group_edits.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace weft {

namespace {

Edited noGroup(const std::string& name) {
    return refused(fmt::format("there is no group {}", name), "choose a group that is defined");
}

Edited badName(std::string_view name) {
    return refused(fmt::format("'{}' cannot be a name", name),
                   "use no /, [, ], -> and no control characters");
}

Edited badParameterName(std::string_view name) {
    return refused(fmt::format("'{}' cannot be used in an expression", name),
                   "use letters, digits and _, with a letter first");
}

Edited noParameter(const std::string& group, const std::string& name) {
    return refused(fmt::format("group {} has no parameter {}", group, name),
                   "choose a parameter of the group");
}

std::vector<GroupPort>& portsOn(GroupDefinition& group, PortSide side) {
    return side == PortSide::input ? group.inputs : group.outputs;
}

// Returns a refusal if there is no such port.
std::optional<Edited> notPort(Design& design, const std::string& group, PortSide side,
                              const std::string& name) {
    GroupDefinition* definition = definitionNamed(design, group);
    if (definition == nullptr) {
        return noGroup(group);
    }
    return std::ranges::find(portsOn(*definition, side), name, &GroupPort::name) !=
                   portsOn(*definition, side).end()
               ? std::nullopt
               : std::optional(refused(fmt::format("group {} has no port {}", group, name),
                                       "choose a port of the group"));
}

// Visits the instances of a group, with the network of each.
template <class Visit>
void forEachInstance(Design& design, const std::string& group, Visit visit) {
    for (const NetworkPath& path : allNetworks(design)) {
        for (Layer& layer : networkAt(design, path).layers) {
            if (layer.group == group) {
                visit(path, layer);
            }
        }
    }
}

// Returns a refusal if the layer does not exist or is no instance of a group.
std::optional<Edited> notInstance(const Design& design, const NetworkPath& path, LayerId id) {
    const Layer* layer = findLayer(networkAt(design, path), id);
    if (layer == nullptr) {
        return missingLayer(networkAt(design, path), {id});
    }
    return layer->kind == groupKind
               ? std::nullopt
               : std::optional(refused(fmt::format("{} is not an instance of a group", layer->name),
                                       "choose an instance of a group", layer));
}

} // namespace

Edited addInstance(Design& design, const NetworkPath& path, const std::string& group, Point at) {
    if (design.group(group) == nullptr) {
        return noGroup(group);
    }
    Layer layer;
    layer.kind = groupKind;
    layer.group = group;
    layer.position = at;
    return addLayer(design, path, std::move(layer));
}

Edited setRepeat(Design& design, const NetworkPath& path, LayerId instance, std::int64_t repeat) {
    if (auto no = notInstance(design, path, instance)) {
        return *no;
    }
    Layer* layer = layerIn(networkAt(design, path), instance);
    if (repeat < 1) {
        return refused("a group is repeated at least once", "to leave the group out, mute it",
                       layer);
    }
    layer->repeat = repeat;
    return done({instance});
}

Edited setGroup(Design& design, const NetworkPath& path, LayerId instance,
                const std::string& group) {
    if (design.group(group) == nullptr) {
        return noGroup(group);
    }
    if (auto no = notInstance(design, path, instance)) {
        return *no;
    }
    if (!path.group.empty() && holds(design, group, path.group)) {
        return refused(fmt::format("group {} would contain itself", path.group),
                       "choose another group", findLayer(networkAt(design, path), instance));
    }
    layerIn(networkAt(design, path), instance)->group = group;
    return done({instance});
}

Edited giveOwnDefinition(Design& design, const NetworkPath& path, LayerId instance) {
    if (auto no = notInstance(design, path, instance)) {
        return *no;
    }
    const std::string before = layerIn(networkAt(design, path), instance)->group;
    if (design.group(before) == nullptr) {
        return noGroup(before);
    }
    GroupDefinition copy = *design.group(before);
    copy.name = groupNames(design).unique(before);
    const std::string name = copy.name;
    design.groups.push_back(std::move(copy));
    layerIn(networkAt(design, path), instance)->group = name;
    return done({instance}, name);
}

Edited renameGroup(Design& design, const std::string& group, std::string_view name) {
    GroupDefinition* definition = definitionNamed(design, group);
    if (definition == nullptr) {
        return noGroup(group);
    }
    if (!isLayerName(name)) {
        return badName(name);
    }
    if (group == name) {
        return done({}, group);
    }
    // A copy, because `group` may refer to the definition's own name.
    // NOLINTNEXTLINE(performance-unnecessary-copy-initialization)
    const std::string before = group;
    const std::string now = groupNames(design).unique(name);
    definition->name = now;
    forEachInstance(design, before, [&](const NetworkPath&, Layer& layer) { layer.group = now; });
    return done({}, now);
}

Edited setParameter(Design& design, const std::string& group, const std::string& name,
                    AttributeValue value) {
    GroupDefinition* definition = definitionNamed(design, group);
    if (definition == nullptr) {
        return noGroup(group);
    }
    if (!isParameterName(name)) {
        return badParameterName(name);
    }
    if (!hasFiniteNumbers(value)) {
        return refused(fmt::format("{} would be NaN or infinite", name), "enter another number");
    }
    definition->parameters.set(name, std::move(value));
    refreshValues(definition->network, definition->parameters);
    return done({}, name);
}

Edited renameParameter(Design& design, const std::string& group, const std::string& name,
                       const std::string& newName) {
    GroupDefinition* definition = definitionNamed(design, group);
    if (definition == nullptr || !definition->parameters.has(name)) {
        return noParameter(group, name);
    }
    if (name == newName) {
        return done({}, newName);
    }
    if (!isParameterName(newName)) {
        return badParameterName(newName);
    }
    if (definition->parameters.has(newName)) {
        return refused(fmt::format("group {} already has a parameter {}", group, newName),
                       "choose another name");
    }
    const std::string before = name;
    const auto follow = [&](Attributes& attributes) {
        if (const AttributeValue* value = attributes.find(before)) {
            attributes.set(newName, *value);
            attributes.remove(before);
        }
    };
    follow(definition->parameters);
    for (Layer& layer : definition->network.layers) {
        for (auto& [attribute, expression] : layer.expressions) {
            expression = substituted(expression, {{before, newName}});
        }
    }
    forEachInstance(design, group, [&](const NetworkPath&, Layer& layer) {
        follow(layer.attributes);
        if (auto expression = layer.expressions.extract(before)) {
            expression.key() = newName;
            layer.expressions.insert(std::move(expression));
        }
    });
    return done({}, newName);
}

Edited removeParameter(Design& design, const std::string& group, const std::string& name) {
    GroupDefinition* definition = definitionNamed(design, group);
    if (definition == nullptr || !definition->parameters.has(name)) {
        return noParameter(group, name);
    }
    for (const Layer& layer : definition->network.layers) {
        for (const auto& [attribute, expression] : layer.expressions) {
            if (namesIn(expression).contains(name)) {
                return refused(fmt::format("{}.{} = {} uses it", layer.name, attribute, expression),
                               "change that expression first", &layer);
            }
        }
    }
    const std::string gone = name;
    definition->parameters.remove(gone);
    forEachInstance(design, group, [&](const NetworkPath&, Layer& layer) {
        layer.attributes.remove(gone);
        layer.expressions.erase(gone);
    });
    return done();
}

Edited setPort(Design& design, const std::string& group, PortSide side, const std::string& name,
               const std::vector<Endpoint>& inside) {
    GroupDefinition* definition = definitionNamed(design, group);
    if (definition == nullptr) {
        return noGroup(group);
    }
    if (!isPortName(name)) {
        return badName(name);
    }
    if (side == PortSide::output && inside.size() > 1) {
        return refused(fmt::format("output {} can map to one inner port only", name),
                       "choose one port");
    }
    std::vector<LayerId> layers;
    for (const Endpoint& end : inside) {
        layers.push_back(end.layer);
        if (!isPortName(end.port) || std::ranges::count(inside, end) > 1) {
            return refused("a port of a group maps to named inner ports, to each at most once",
                           "name each inner port once");
        }
    }
    if (auto missing = missingLayer(definition->network, layers)) {
        return *missing;
    }
    const NetworkPath path{group};
    if (side == PortSide::input) {
        for (const Endpoint& end : inside) {
            removeFeed(design, path, end);
        }
    }
    std::vector<GroupPort>& ports = portsOn(*definition, side);
    const auto port = std::ranges::find(ports, name, &GroupPort::name);
    if (port == ports.end()) {
        ports.push_back({name, inside});
    } else {
        port->inside = inside;
    }
    return done(std::move(layers), name);
}

Edited renamePort(Design& design, const std::string& group, PortSide side, const std::string& name,
                  const std::string& newName) {
    if (const auto why = notPort(design, group, side, name)) {
        return *why;
    }
    std::vector<GroupPort>& ports = portsOn(*definitionNamed(design, group), side);
    const auto port = std::ranges::find(ports, name, &GroupPort::name);
    if (name == newName) {
        return done({}, newName);
    }
    if (!isPortName(newName)) {
        return badName(newName);
    }
    if (std::ranges::find(ports, newName, &GroupPort::name) != ports.end()) {
        return refused(fmt::format("group {} already has a port {}", group, newName),
                       "choose another name");
    }
    const std::string before = name;
    port->name = newName;
    forEachInstance(design, group, [&](const NetworkPath& path, const Layer& layer) {
        const auto follow = [&](Endpoint& end) {
            if (end == Endpoint{layer.id, before}) {
                end.port = newName;
            }
        };
        for (Wire& wire : networkAt(design, path).wires) {
            follow(side == PortSide::input ? wire.to : wire.from);
        }
        if (GroupDefinition* around = definitionAt(design, path)) {
            for (GroupPort& outer : portsOn(*around, side)) {
                std::ranges::for_each(outer.inside, follow);
            }
        }
    });
    return done({}, newName);
}

Edited removePort(Design& design, const std::string& group, PortSide side,
                  const std::string& name) {
    if (const auto why = notPort(design, group, side, name)) {
        return *why;
    }
    std::vector<GroupPort>& ports = portsOn(*definitionNamed(design, group), side);
    const auto port = std::ranges::find(ports, name, &GroupPort::name);
    const std::string gone = name;
    ports.erase(port);
    forEachInstance(design, group, [&](const NetworkPath& path, const Layer& layer) {
        const Endpoint end{layer.id, gone};
        std::erase_if(networkAt(design, path).wires, [&](const Wire& wire) {
            return (side == PortSide::input ? wire.to : wire.from) == end;
        });
        if (GroupDefinition* around = definitionAt(design, path)) {
            for (GroupPort& outer : portsOn(*around, side)) {
                std::erase(outer.inside, end);
            }
        }
    });
    return done();
}

} // namespace weft
