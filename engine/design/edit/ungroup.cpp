// SPDX-License-Identifier: Apache-2.0
#include "base/text/expression.h"
#include "design/edit/editing.h"
#include "design/edit/fragment.h"
#include <weft/group_edits.h>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>

namespace weft {

namespace {

constexpr std::int64_t mostLayers = 10'000;
constexpr double copyDistance = 40;

// Replaces an instance by the contents of its group.
class Ungrouping {
public:
    Ungrouping(Design& design, const NetworkPath& path, LayerId instance)
        : design_(design),
          path_(path),
          instance_(*layerIn(networkAt(design, path), instance)),
          group_(*design.group(instance_.group)) {}

    std::vector<LayerId> run() {
        Network& network = networkAt(design_, path_);
        // The instance stays until the end, so that no layer gets its id; its name is free.
        layerIn(network, instance_.id)->name.clear();
        const std::size_t first = network.layers.size();
        const Network inside = scoped();
        for (std::int64_t copy = 0; copy < instance_.repeat; ++copy) {
            ids_.push_back(addFragment(network, inside, offsetOf(inside, copy)));
        }
        wireInputs();
        wireOutputs();
        follow();
        const std::vector<Layer> made(network.layers.begin() + static_cast<std::ptrdiff_t>(first),
                                      network.layers.end());
        network.layers.resize(first);
        const auto place = std::ranges::find(network.layers, instance_.id, &Layer::id);
        network.layers.insert(network.layers.erase(place), made.begin(), made.end());
        std::vector<LayerId> ids;
        std::ranges::transform(made, std::back_inserter(ids), &Layer::id);
        return ids;
    }

private:
    // Returns the group's network as in this instance: parameters substituted, assignment
    // inherited.
    Network scoped() {
        std::map<std::string, std::string> texts;
        Attributes values = group_.parameters;
        for (const auto& [name, fallback] : group_.parameters.entries()) {
            if (const AttributeValue* value = instance_.attributes.find(name)) {
                values.set(name, *value);
            }
            const auto expression = instance_.expressions.find(name);
            texts[name] = expression != instance_.expressions.end() ? expression->second
                                                                    : toString(*values.find(name));
        }
        Network inside = group_.network;
        for (Layer& layer : inside.layers) {
            layer.muted = layer.muted || instance_.muted;
            if (!layer.assignment) {
                layer.assignment = instance_.assignment;
            }
            putIn(layer, values, texts);
        }
        return inside;
    }

    void putIn(Layer& layer, const Attributes& values,
               const std::map<std::string, std::string>& texts) {
        std::map<std::string, std::string> kept;
        for (const auto& [name, expression] : layer.expressions) {
            if (auto value = evaluate(expression, values).value) {
                layer.attributes.set(name, std::move(*value));
            }
            std::string text = substituted(expression, texts);
            // An expression that is now a plain number is removed; one that cannot be evaluated
            // stays, so that the check reports it.
            const bool usesNames = !namesIn(text).empty();
            if (usesNames || text == expression || !layer.attributes.has(name)) {
                kept.emplace(name, std::move(text));
            }
        }
        layer.expressions = std::move(kept);
    }

    // Copies are placed one below the other.
    [[nodiscard]] Point offsetOf(const Network& inside, std::int64_t copy) const {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        Point low{infinity, infinity};
        double bottom = -infinity;
        for (const Layer& layer : inside.layers) {
            if (layer.position) {
                low = {std::min(low.x, layer.position->x), std::min(low.y, layer.position->y)};
                bottom = std::max(bottom, layer.position->y);
            }
        }
        if (bottom < low.y) {
            return {}; // no layer has a position
        }
        const Point at = instance_.position.value_or(Point{});
        const double height = bottom - low.y + copyDistance;
        return {at.x - low.x, at.y - low.y + height * static_cast<double>(copy)};
    }

    [[nodiscard]] Endpoint inCopy(std::size_t copy, const Endpoint& inside) const {
        return {ids_[copy].at(inside.layer), inside.port};
    }

    // Returns all ports inside that an input of copy number `copy` feeds.
    [[nodiscard]] std::vector<Endpoint> endsOf(std::size_t input, std::size_t copy) const {
        std::vector<Endpoint> ends;
        for (const Endpoint& inside : group_.inputs[input].inside) {
            ends.push_back(inCopy(copy, inside));
        }
        return ends;
    }

    void wireInputs() {
        Network& network = networkAt(design_, path_);
        for (std::size_t input = 0; input < group_.inputs.size(); ++input) {
            std::vector<Endpoint> outside = endsOf(input, 0);
            for (std::size_t copy = 1; copy < ids_.size(); ++copy) {
                const std::vector<Endpoint> ends = endsOf(input, copy);
                if (input >= group_.outputs.size()) {
                    outside.insert(outside.end(), ends.begin(), ends.end());
                    continue;
                }
                for (const Endpoint& source : group_.outputs[input].inside) {
                    for (const Endpoint& end : ends) {
                        network.wires.push_back({inCopy(copy - 1, source), end});
                    }
                }
            }
            feedFromOutside({instance_.id, group_.inputs[input].name}, outside);
        }
        std::erase_if(network.wires,
                      [&](const Wire& wire) { return wire.to.layer == instance_.id; });
    }

    void feedFromOutside(const Endpoint& port, const std::vector<Endpoint>& ends) {
        Network& network = networkAt(design_, path_);
        std::vector<Wire> made;
        std::erase_if(network.wires, [&](const Wire& wire) {
            if (wire.to != port) {
                return false;
            }
            for (const Endpoint& end : ends) {
                made.push_back({wire.from, end, wire.scheme, {}, wire.unknown});
            }
            return true;
        });
        network.wires.insert(network.wires.end(), made.begin(), made.end());
        if (GroupDefinition* around = definitionAt(design_, path_)) {
            for (GroupPort& input : around->inputs) {
                if (std::erase(input.inside, port) > 0) {
                    input.inside.insert(input.inside.end(), ends.begin(), ends.end());
                }
            }
        }
    }

    void wireOutputs() {
        Network& network = networkAt(design_, path_);
        const std::size_t last = ids_.size() - 1;
        const auto source = [&](const Endpoint& end) -> std::optional<Endpoint> {
            const auto port = std::ranges::find(group_.outputs, end.port, &GroupPort::name);
            return port == group_.outputs.end() || port->inside.empty()
                       ? std::nullopt
                       : std::optional(inCopy(last, port->inside.front()));
        };
        std::vector<Wire> left;
        for (Wire& wire : network.wires) {
            const bool isFromHere = wire.from.layer == instance_.id;
            const auto from = isFromHere ? source(wire.from) : std::optional(wire.from);
            if (from) {
                wire.from = *from;
                if (isFromHere) {
                    wire.via.clear();
                }
                left.push_back(std::move(wire));
            }
        }
        network.wires = std::move(left);
        GroupDefinition* around = definitionAt(design_, path_);
        if (around == nullptr) {
            return;
        }
        for (GroupPort& port : around->inputs) {
            std::erase_if(port.inside,
                          [&](const Endpoint& end) { return end.layer == instance_.id; });
        }
        for (GroupPort& port : around->outputs) {
            if (port.inside.empty() || port.inside.front().layer != instance_.id) {
                continue;
            }
            const auto from = source(port.inside.front());
            port.inside = from ? std::vector{*from} : std::vector<Endpoint>();
        }
    }

    // Updates frames, data feeds and shared weights that referred to the instance or its contents.
    void follow() {
        Network& network = networkAt(design_, path_);
        for (Frame& frame : network.frames) {
            if (std::erase(frame.layers, instance_.id) == 0) {
                continue;
            }
            for (const auto& copy : ids_) {
                for (const auto& [inside, made] : copy) {
                    frame.layers.push_back(made);
                }
            }
        }
        for (std::size_t copy = 0; copy < ids_.size(); ++copy) {
            const std::string prefix = instance_.repeat == 1
                                           ? instance_.name + "/"
                                           : fmt::format("{}[{}]/", instance_.name, copy + 1);
            for (const Layer& layer : group_.network.layers) {
                const std::string now = findLayer(network, ids_[copy].at(layer.id))->name;
                followRename(design_, path_, prefix + layer.name, now);
            }
        }
    }

    Design& design_;
    const NetworkPath& path_;
    const Layer instance_;
    const GroupDefinition group_;
    std::vector<std::map<LayerId, LayerId>> ids_;
};

std::optional<Edited> unfit(const Design& design, const NetworkPath& path, LayerId id) {
    const Layer& layer = *findLayer(networkAt(design, path), id);
    const GroupDefinition* group = design.group(layer.group);
    if (group == nullptr) {
        return refused(fmt::format("{} is not an instance of a group", layer.name),
                       "choose an instance of a group", &layer);
    }
    if (layer.bypassed) {
        return refused(fmt::format("{} is bypassed", layer.name), "switch its bypass off first",
                       &layer);
    }
    const auto size = static_cast<std::int64_t>(group->network.layers.size());
    if (layer.repeat > mostLayers || size * layer.repeat > mostLayers) {
        return refused(fmt::format("{} would become {} layers", layer.name, size * layer.repeat),
                       "lower its number of copies first", &layer);
    }
    return std::nullopt;
}

bool isUsed(const Design& design, const std::string& group) {
    return std::ranges::any_of(allNetworks(design), [&](const NetworkPath& path) {
        return std::ranges::any_of(networkAt(design, path).layers,
                                   [&](const Layer& layer) { return layer.group == group; });
    });
}

} // namespace

Edited ungroup(Design& design, const NetworkPath& path, const std::vector<LayerId>& instances) {
    if (auto missing = missingLayer(networkAt(design, path), instances)) {
        return *missing;
    }
    const std::set<LayerId> chosen(instances.begin(), instances.end());
    for (const LayerId id : chosen) {
        if (auto no = unfit(design, path, id)) {
            return *no;
        }
    }
    Edited edited = done();
    for (const LayerId id : chosen) {
        const std::string group = findLayer(networkAt(design, path), id)->group;
        const std::vector<LayerId> made = Ungrouping(design, path, id).run();
        edited.layers.insert(edited.layers.end(), made.begin(), made.end());
        if (group != path.group && !isUsed(design, group)) {
            std::erase_if(design.groups,
                          [&](const GroupDefinition& each) { return each.name == group; });
        }
    }
    return edited;
}

} // namespace weft
