// SPDX-License-Identifier: Apache-2.0
#include "design/file/write_parts.h"
#include "design/names.h"

#include <fmt/format.h>

#include <unordered_map>

namespace weft {

namespace {

using LayerNames = std::unordered_map<LayerId, std::string_view>;

LayerNames namesById(const Network& network) {
    LayerNames names;
    for (const Layer& layer : network.layers) {
        names.emplace(layer.id, layer.name);
    }
    return names;
}

// True for a name or port that the short form would misread.
bool isAwkward(std::string_view name, std::string_view port) {
    if (port.empty()) {
        return !isLayerName(name) || name.find('.') != std::string_view::npos;
    }
    return !isLayerName(name) || !isPortName(port);
}

Json endpointJson(const LayerNames& names, const Endpoint& endpoint) {
    const std::string_view name = names.at(endpoint.layer);
    if (isAwkward(name, endpoint.port)) {
        Json made = Json::object();
        made["layer"] = name;
        made["port"] = endpoint.port;
        return made;
    }
    return endpoint.port.empty() ? std::string(name) : fmt::format("{}.{}", name, endpoint.port);
}

Json wireJson(const LayerNames& names, const Wire& wire) {
    const Json from = endpointJson(names, wire.from);
    const Json to = endpointJson(names, wire.to);
    if (wire.scheme.empty() && wire.via.empty() && wire.unknown.empty() && from.is_string() &&
        to.is_string()) {
        return fmt::format("{} -> {}", from.get_ref<const std::string&>(),
                           to.get_ref<const std::string&>());
    }
    Json made = Json::object();
    made["from"] = from;
    made["to"] = to;
    if (!wire.scheme.empty()) {
        made["scheme"] = wire.scheme;
    }
    for (const Point point : wire.via) {
        made["via"].push_back(pointJson(point));
    }
    addUnknown(made, unknownOf(wire.unknown));
    return made;
}

Json frameJson(const LayerNames& names, const Frame& frame) {
    Json made = Json::object();
    made["title"] = frame.title;
    made["at"] = pointJson(frame.topLeft);
    made["size"] = pointJson(frame.size);
    if (frame.colour != 0) {
        made["colour"] = frame.colour;
    }
    Json layers = Json::array();
    for (const LayerId id : frame.layers) {
        if (const auto name = names.find(id); name != names.end()) {
            layers.push_back(name->second);
        }
    }
    if (!layers.empty()) {
        made["layers"] = std::move(layers);
    }
    addUnknown(made, unknownOf(frame.unknown));
    return made;
}

Json commentJson(const Comment& comment) {
    Json made = Json::object();
    made["text"] = comment.text;
    made["at"] = pointJson(comment.position);
    addUnknown(made, unknownOf(comment.unknown));
    return made;
}

// Adds the list, followed by entries that could not be read; adds nothing if there are none.
void addList(Json& made, const char* key, Json list, Json& unknown) {
    if (const auto rest = unknown.find(key); rest != unknown.end() && rest->is_array()) {
        for (Json& entry : *rest) {
            list.push_back(std::move(entry));
        }
        unknown.erase(rest);
    }
    if (!list.empty()) {
        made[key] = std::move(list);
    }
}

void addNetwork(Json& made, const Network& network, Json& unknown) {
    const LayerNames names = namesById(network);
    Json layers = Json::array();
    for (const Layer& layer : network.layers) {
        layers.push_back(layerJson(layer));
    }
    addList(made, "layers", std::move(layers), unknown);
    Json wires = Json::array();
    for (const Wire& wire : network.wires) {
        if (names.contains(wire.from.layer) && names.contains(wire.to.layer)) {
            wires.push_back(wireJson(names, wire));
        }
    }
    addList(made, "wires", std::move(wires), unknown);
    addList(made, "frames", framesJson(network, network.frames), unknown);
    addList(made, "comments", commentsJson(network.comments), unknown);
}

Json portsJson(const LayerNames& names, const std::vector<GroupPort>& ports) {
    Json made = Json::object();
    for (const GroupPort& port : ports) {
        Json inside = Json::array();
        for (const Endpoint& endpoint : port.inside) {
            if (names.contains(endpoint.layer)) {
                inside.push_back(endpointJson(names, endpoint));
            }
        }
        append(made, port.name, inside.size() == 1 ? inside.front() : inside);
    }
    return made;
}

} // namespace

Json layerJson(const Layer& layer) {
    const Json unknown = unknownOf(layer.unknown);
    Json made = Json::object();
    made["id"] = layer.id.value;
    made["name"] = layer.name;
    made["kind"] = layer.kind;
    if (!layer.group.empty()) {
        made["group"] = layer.group;
    }
    if (layer.repeat != 1) {
        made["repeat"] = layer.repeat;
    }
    const auto rest = unknown.find("with");
    Json with = attributesJson(layer.attributes, layer.expressions,
                               rest == unknown.end() ? Json::object() : *rest);
    if (!with.empty()) {
        made["with"] = std::move(with);
    }
    if (layer.position) {
        made["at"] = pointJson(*layer.position);
    }
    if (layer.muted) {
        made["muted"] = true;
    }
    if (layer.bypassed) {
        made["bypassed"] = true;
    }
    if (layer.pinned) {
        made["pinned"] = true;
    }
    if (layer.assignment) {
        made["assign"] = assignmentJson(*layer.assignment, unknown);
    }
    if (!layer.note.empty()) {
        made["note"] = layer.note;
    }
    addUnknown(made, unknown);
    return made;
}

Json framesJson(const Network& network, const std::vector<Frame>& frames) {
    const LayerNames names = namesById(network);
    Json list = Json::array();
    for (const Frame& frame : frames) {
        list.push_back(frameJson(names, frame));
    }
    return list;
}

Json commentsJson(const std::vector<Comment>& comments) {
    Json list = Json::array();
    for (const Comment& comment : comments) {
        list.push_back(commentJson(comment));
    }
    return list;
}

Json groupHeadJson(const GroupDefinition& group) {
    const LayerNames names = namesById(group.network);
    Json made = Json::object();
    made["name"] = group.name;
    if (!group.parameters.entries().empty()) {
        made["parameters"] = attributesJson(group.parameters, {}, Json::object());
    }
    if (!group.inputs.empty()) {
        made["inputs"] = portsJson(names, group.inputs);
    }
    if (!group.outputs.empty()) {
        made["outputs"] = portsJson(names, group.outputs);
    }
    return made;
}

Json toJson(const Design& design) {
    Json unknown = unknownOf(design.unknown);
    Json made = Json::object();
    made["weft"] = design.version;
    if (!design.name.empty()) {
        made["name"] = design.name;
    }
    if (!design.note.empty()) {
        made["note"] = design.note;
    }
    Json devices = Json::array();
    for (const DeviceDeclaration& device : design.devices) {
        devices.push_back(deviceJson(device));
    }
    addList(made, "devices", std::move(devices), unknown);
    if (design.assignment != Assignment{}) {
        made["assign"] = assignmentJson(design.assignment, unknown);
    }
    if (design.data != DataSettings{}) {
        made["data"] = dataJson(design.data);
    }
    if (design.training != TrainingSettings{}) {
        made["training"] = trainingJson(design.training);
    }
    Json groups = Json::array();
    for (const GroupDefinition& group : design.groups) {
        Json rest = unknownOf(group.unknown);
        Json head = groupHeadJson(group);
        addNetwork(head, group.network, rest);
        addUnknown(head, rest);
        groups.push_back(std::move(head));
    }
    addList(made, "groups", std::move(groups), unknown);
    addNetwork(made, design.network, unknown);
    addUnknown(made, unknown);
    return made;
}

std::string toString(const Network& network, const Endpoint& endpoint) {
    const Layer* layer = findLayer(network, endpoint.layer);
    const std::string name =
        layer == nullptr ? fmt::format("#{}", endpoint.layer.value) : layer->name;
    return endpoint.port.empty() ? name : fmt::format("{}.{}", name, endpoint.port);
}

std::string toString(const Network& network, const Wire& wire) {
    return fmt::format("{} -> {}", toString(network, wire.from), toString(network, wire.to));
}

} // namespace weft
