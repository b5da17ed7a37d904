// SPDX-License-Identifier: Apache-2.0
#include "design/edit/verify.h"

#include "design/edit/editing.h"
#include "design/file/write_parts.h"
#include <weft/design_file.h>
#include <weft/error.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_set>

namespace weft {

namespace {

bool isObjectText(const std::string& text) { return text.empty() || !unknownOf(text).empty(); }

bool areFinite(const Attributes& attributes) {
    return std::ranges::all_of(attributes.entries(),
                               [](const auto& entry) { return hasFiniteNumbers(entry.second); });
}

} // namespace

std::string brokenInvariant(const Layer& layer) {
    if (layer.id.isNone()) {
        return fmt::format("layer {} has an id", layer.name);
    }
    if (layer.name.empty()) {
        return fmt::format("layer #{} has a name", layer.id.value);
    }
    if (!layer.group.empty() && layer.kind != groupKind) {
        return fmt::format("{} has the kind group, since it is an instance of {}", layer.name,
                           layer.group);
    }
    if (layer.repeat < 1 || (layer.repeat > 1 && layer.kind != groupKind)) {
        return fmt::format("{} has a repeat count of at least 1, and of 1 if it is not a group",
                           layer.name);
    }
    if (!areFinite(layer.attributes) || !isFinite(layer.position.value_or(Point{}))) {
        return fmt::format("the numbers of {} are finite", layer.name);
    }
    return isObjectText(layer.unknown)
               ? std::string()
               : fmt::format("the unknown keys of {} form a JSON object", layer.name);
}

namespace {

std::string brokenIn(const Network& network) {
    std::unordered_set<LayerId> ids;
    std::unordered_set<std::string_view> names;
    for (const Layer& layer : network.layers) {
        if (std::string broken = brokenInvariant(layer); !broken.empty()) {
            return broken;
        }
        if (!ids.insert(layer.id).second || !names.insert(layer.name).second) {
            return fmt::format("the id and name of {} are unique", layer.name);
        }
    }
    std::set<Endpoint> ends;
    for (const Wire& wire : network.wires) {
        if (!ids.contains(wire.from.layer) || !ids.contains(wire.to.layer)) {
            return "wires connect existing layers";
        }
        if (!wire.to.port.empty() && !ends.insert(wire.to).second) {
            return fmt::format("at most one wire ends at {}.{}",
                               findLayer(network, wire.to.layer)->name, wire.to.port);
        }
        if (!isObjectText(wire.unknown)) {
            return "the unknown keys of a wire form a JSON object";
        }
        if (!std::ranges::all_of(wire.via, [](Point point) { return isFinite(point); })) {
            return "the points of a wire have finite coordinates";
        }
    }
    for (const Frame& frame : network.frames) {
        std::unordered_set<LayerId> framed;
        for (const LayerId layer : frame.layers) {
            if (!ids.contains(layer) || !framed.insert(layer).second) {
                return fmt::format("frame {} contains only existing layers, each at most once",
                                   frame.title);
            }
        }
        if (!isFinite(frame.topLeft) || !isFinite(frame.size) || !isObjectText(frame.unknown)) {
            return fmt::format(
                "the numbers of frame {} are finite, and its unknown keys form a JSON object",
                frame.title);
        }
    }
    for (const Comment& comment : network.comments) {
        if (!isFinite(comment.position) || !isObjectText(comment.unknown)) {
            return "the numbers of comments are finite, and their unknown keys form a JSON object";
        }
    }
    return {};
}

std::string brokenIn(const GroupDefinition& group, const std::vector<GroupPort>& ports,
                     bool areOutputs) {
    std::unordered_set<LayerId> ids;
    for (const Layer& layer : group.network.layers) {
        ids.insert(layer.id);
    }
    std::unordered_set<std::string_view> names;
    for (const GroupPort& port : ports) {
        if (port.name.empty() || !names.insert(port.name).second) {
            return fmt::format("ports of group {} have unique names", group.name);
        }
        if (areOutputs && port.inside.size() > 1) {
            return fmt::format("output {} of group {} maps to at most one port", port.name,
                               group.name);
        }
        for (const Endpoint& endpoint : port.inside) {
            if (!ids.contains(endpoint.layer)) {
                return fmt::format("port {} of group {} maps to existing layers", port.name,
                                   group.name);
            }
        }
    }
    return {};
}

// A port inside a group is fed by a wire or by one input of the group.
std::string brokenFeeds(const GroupDefinition& group) {
    std::set<Endpoint> ends;
    for (const Wire& wire : group.network.wires) {
        ends.insert(wire.to);
    }
    for (const GroupPort& port : group.inputs) {
        for (const Endpoint& endpoint : port.inside) {
            if (!endpoint.port.empty() && !ends.insert(endpoint).second) {
                return fmt::format("input {} of group {} feeds ports that have no other source",
                                   port.name, group.name);
            }
        }
    }
    return {};
}

std::string brokenSettings(const Design& design) {
    const TrainingSettings& training = design.training;
    for (const double number :
         {training.learningRate, training.clipNorm, training.epochs, training.seconds,
          training.target, training.bucketMegabytes, design.data.validation}) {
        if (!std::isfinite(number)) {
            return "the numbers of settings are finite";
        }
    }
    if (!areFinite(design.data.attributes) || !areFinite(training.optimizerAttributes) ||
        !areFinite(training.scheduleAttributes)) {
        return "the numbers of settings are finite";
    }
    if (!isObjectText(design.unknown) || !isObjectText(design.data.unknown) ||
        !isObjectText(training.unknown)) {
        return "the unknown keys of a design form a JSON object";
    }
    for (const DeviceDeclaration& device : design.devices) {
        if (device.name.empty() || !isObjectText(device.unknown)) {
            return "devices have names, and their unknown keys form a JSON object";
        }
    }
    return {};
}

} // namespace

std::string brokenInvariant(const Design& design) {
    if (std::string broken = brokenSettings(design); !broken.empty()) {
        return broken;
    }
    if (std::string broken = brokenIn(design.network); !broken.empty()) {
        return broken;
    }
    std::unordered_set<std::string_view> names;
    for (const GroupDefinition& group : design.groups) {
        if (group.name.empty() || !names.insert(group.name).second) {
            return fmt::format("groups have unique names: '{}'", group.name);
        }
        for (std::string broken : {brokenIn(group.network), brokenIn(group, group.inputs, false),
                                   brokenIn(group, group.outputs, true), brokenFeeds(group)}) {
            if (!broken.empty()) {
                return broken;
            }
        }
        if (!areFinite(group.parameters) || !isObjectText(group.unknown)) {
            return fmt::format(
                "the numbers of group {} are finite, and its unknown keys form a JSON object",
                group.name);
        }
    }
    return {};
}

void verify(const Design& design) {
    const std::string broken = brokenInvariant(design);
    ensure(broken.empty(), broken.c_str());
}

} // namespace weft
