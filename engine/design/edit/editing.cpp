// SPDX-License-Identifier: Apache-2.0
#include "design/edit/editing.h"

#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace weft {

Edited refused(std::string text, std::string remedy, const Layer* layer) {
    Edited edited;
    edited.refusal = Diagnostic{.code = "E201",
                                .layer = layer == nullptr ? LayerId{} : layer->id,
                                .layerName = layer == nullptr ? std::string() : layer->name,
                                .text = std::move(text),
                                .fix = {std::move(remedy), {}}};
    return edited;
}

bool isFinite(Point point) { return std::isfinite(point.x) && std::isfinite(point.y); }

bool hasFiniteNumbers(const AttributeValue& value) {
    const auto* real = std::get_if<double>(&value);
    const auto* reals = std::get_if<std::vector<double>>(&value);
    return (real == nullptr || std::isfinite(*real)) &&
           (reals == nullptr ||
            std::ranges::all_of(*reals, [](double each) { return std::isfinite(each); }));
}

Edited notFinite() {
    return refused("a position would be NaN or infinite", "use a smaller offset");
}

Edited done(std::vector<LayerId> layers, std::string name) {
    Edited edited;
    edited.layers = std::move(layers);
    edited.name = std::move(name);
    return edited;
}

bool hasNetwork(const Design& design, const NetworkPath& path) {
    return path.group.empty() || design.group(path.group) != nullptr;
}

const Network& networkAt(const Design& design, const NetworkPath& path) {
    ensure(hasNetwork(design, path), "the network that is edited belongs to the design");
    return path.group.empty() ? design.network : design.group(path.group)->network;
}

Network& networkAt(Design& design, const NetworkPath& path) {
    GroupDefinition* group = definitionAt(design, path);
    return group == nullptr ? design.network : group->network;
}

GroupDefinition* definitionNamed(Design& design, std::string_view name) {
    const auto found = std::ranges::find(design.groups, name, &GroupDefinition::name);
    return found == design.groups.end() ? nullptr : &*found;
}

GroupDefinition* definitionAt(Design& design, const NetworkPath& path) {
    ensure(hasNetwork(design, path), "the network that is edited belongs to the design");
    return path.group.empty() ? nullptr : definitionNamed(design, path.group);
}

const GroupDefinition* definitionAt(const Design& design, const NetworkPath& path) {
    ensure(hasNetwork(design, path), "the network that is edited belongs to the design");
    return path.group.empty() ? nullptr : design.group(path.group);
}

const Attributes& parametersAt(const Design& design, const NetworkPath& path) {
    static const Attributes none;
    const GroupDefinition* group = definitionAt(design, path);
    return group == nullptr ? none : group->parameters;
}

void followRename(Design& design, const NetworkPath& path, const std::string& before,
                  const std::string& now) {
    for (Layer& layer : networkAt(design, path).layers) {
        const AttributeValue* shared = layer.attributes.find(shareAttribute);
        if (shared != nullptr && *shared == AttributeValue(before)) {
            layer.attributes.set(std::string(shareAttribute), now);
        }
    }
    if (!path.group.empty()) {
        return;
    }
    if (auto feed = design.data.feeds.extract(before)) {
        feed.key() = now;
        design.data.feeds.insert(std::move(feed));
    }
}

Layer* layerIn(Network& network, LayerId id) {
    const auto found = std::ranges::find(network.layers, id, &Layer::id);
    return found == network.layers.end() ? nullptr : &*found;
}

std::optional<Edited> missingLayer(const Network& network, const std::vector<LayerId>& layers) {
    std::set<LayerId> there;
    for (const Layer& layer : network.layers) {
        there.insert(layer.id);
    }
    for (const LayerId layer : layers) {
        if (!there.contains(layer)) {
            return refused(fmt::format("there is no layer #{}", layer.value),
                           "choose layers that are in this network");
        }
    }
    return std::nullopt;
}

void removeFeed(Design& design, const NetworkPath& path, const Endpoint& to) {
    std::erase_if(networkAt(design, path).wires, [&](const Wire& wire) { return wire.to == to; });
    if (GroupDefinition* group = definitionAt(design, path)) {
        for (GroupPort& port : group->inputs) {
            std::erase(port.inside, to);
        }
    }
}

std::vector<NetworkPath> allNetworks(const Design& design) {
    std::vector<NetworkPath> paths = {{}};
    for (const GroupDefinition& group : design.groups) {
        paths.push_back({group.name});
    }
    return paths;
}

bool holds(const Design& design, const std::string& group, const std::string& inner) {
    std::set<std::string> seen;
    std::vector<std::string> open = {group};
    while (!open.empty()) {
        const std::string name = std::move(open.back());
        open.pop_back();
        if (name == inner) {
            return true;
        }
        const GroupDefinition* definition = design.group(name);
        if (definition == nullptr || !seen.insert(name).second) {
            continue;
        }
        for (const Layer& layer : definition->network.layers) {
            if (!layer.group.empty()) {
                open.push_back(layer.group);
            }
        }
    }
    return false;
}

std::optional<FoundLayer> findByName(const Design& design, std::string_view name) {
    NetworkPath path;
    while (true) {
        const Network& network = networkAt(design, path);
        const std::size_t slash = name.find('/');
        std::string_view step = name.substr(0, slash);
        if (slash == std::string_view::npos) {
            const Layer* layer = findLayer(network, step);
            return layer == nullptr ? std::nullopt : std::optional(FoundLayer{path, layer->id});
        }
        if (step.ends_with(']')) {
            step = step.substr(0, step.rfind('['));
        }
        const Layer* instance = findLayer(network, step);
        if (instance == nullptr || design.group(instance->group) == nullptr) {
            return std::nullopt;
        }
        path.group = instance->group;
        name.remove_prefix(slash + 1);
    }
}

} // namespace weft
