// SPDX-License-Identifier: Apache-2.0
#include "design/file/read_parts.h"
#include "design/names.h"

#include <fmt/format.h>

#include <set>

namespace weft {

namespace {

std::optional<Endpoint> endpointOf(const LayerIds& ids, std::string_view text) {
    if (const std::size_t dot = text.rfind('.'); dot != std::string_view::npos) {
        if (const auto layer = ids.find(text.substr(0, dot));
            layer != ids.end() && dot + 1 < text.size()) {
            return Endpoint{layer->second, std::string(text.substr(dot + 1))};
        }
    }
    if (const auto layer = ids.find(text); layer != ids.end()) {
        return Endpoint{layer->second, {}};
    }
    return std::nullopt;
}

// Reads "conv1.y", or {"layer": "conv1", "port": "y"} for names that would be ambiguous in the
// short form.
std::optional<Endpoint> endpointIn(const LayerIds& ids, const Json& value) {
    if (value.is_string()) {
        return endpointOf(ids, value.get_ref<const std::string&>());
    }
    if (!value.is_object() || !value.contains("layer") || !value["layer"].is_string()) {
        return std::nullopt;
    }
    const auto layer = ids.find(value["layer"].get_ref<const std::string&>());
    return layer == ids.end() ? std::nullopt
                              : std::optional(Endpoint{layer->second, textOf(value, "port")});
}

std::optional<Wire> wireOf(const LayerIds& ids, const Json& entry, Section& section) {
    Wire wire;
    std::optional<Endpoint> from;
    std::optional<Endpoint> to;
    if (entry.is_string()) {
        const auto ends = splitWire(entry.get_ref<const std::string&>());
        from = ends ? endpointOf(ids, ends->from) : std::nullopt;
        to = ends ? endpointOf(ids, ends->to) : std::nullopt;
        if (!ends) {
            reportEntry(section, fmt::format("'{}' is not a wire", textForMessage(entry)),
                        "write \"conv1.y -> relu1.x\"");
            return std::nullopt;
        }
    } else if (entry.is_object() && entry.contains("from") && entry.contains("to")) {
        from = endpointIn(ids, entry["from"]);
        to = endpointIn(ids, entry["to"]);
    } else {
        reportEntry(section, fmt::format("'{}' is not a wire", textForMessage(entry)),
                    "write \"conv1.y -> relu1.x\", or an object with the keys from and to");
        return std::nullopt;
    }
    if (!from || !to) {
        section.problems().add(
            {.code = "E103",
             .text = fmt::format("wire '{}' {} a layer that does not exist", textForMessage(entry),
                                 from ? "ends at" : "begins at"),
             .fix = {.text = "add the layer, or remove the wire"}});
        return std::nullopt;
    }
    wire.from = std::move(*from);
    wire.to = std::move(*to);
    if (entry.is_object()) {
        Section fields(entry, "wire", section.problems());
        fields.markRead("from");
        fields.markRead("to");
        fields.text("scheme", wire.scheme);
        readPoints(fields, "via", wire.via);
        wire.unknown = fields.unreadText();
    }
    return wire;
}

std::vector<Json> entriesOf(const Json& value) {
    return value.is_array() ? value.get<std::vector<Json>>() : std::vector<Json>{value};
}

// Reads "add1.y"; an empty list while the layer is missing.
std::optional<GroupPort> outputOf(const LayerIds& ids, const std::string& name, const Json& value) {
    const std::vector<Json> entries = entriesOf(value);
    GroupPort port{name, {}};
    if (name.empty() || entries.size() > 1) {
        return std::nullopt;
    }
    for (const Json& entry : entries) {
        auto endpoint = endpointIn(ids, entry);
        if (!endpoint) {
            return std::nullopt;
        }
        port.inside.push_back(std::move(*endpoint));
    }
    return port;
}

// Reads "norm1.x", or a list, whose ports nothing else may feed.
std::optional<GroupPort> inputOf(const LayerIds& ids, const std::string& name, const Json& value,
                                 std::set<Endpoint>& fed) {
    GroupPort port{name, {}};
    if (name.empty()) {
        return std::nullopt;
    }
    std::set<Endpoint> own;
    for (const Json& entry : entriesOf(value)) {
        auto endpoint = endpointIn(ids, entry);
        if (!endpoint || (!endpoint->port.empty() &&
                          (fed.contains(*endpoint) || !own.insert(*endpoint).second))) {
            return std::nullopt;
        }
        port.inside.push_back(std::move(*endpoint));
    }
    fed.merge(own);
    return port;
}

} // namespace

void readWires(Section& section, Network& to) {
    const Json* list = readList(section, "wires");
    if (list == nullptr) {
        return;
    }
    const LayerIds ids = idsByName(to);
    std::set<Endpoint> ends;
    Json rest = Json::array();
    to.wires.reserve(list->size());
    for (const Json& entry : *list) {
        auto wire = wireOf(ids, entry, section);
        if (wire && !wire->to.port.empty() && !ends.insert(wire->to).second) {
            section.problems().add(
                {.code = "E010",
                 .layer = wire->to.layer,
                 .layerName = findLayer(to, wire->to.layer)->name,
                 .port = wire->to.port,
                 .text = fmt::format("more than one wire ends at this input: '{}'",
                                     textForMessage(entry)),
                 .fix = {.text = "remove one of them, or combine them with an add layer"}});
            wire.reset();
        }
        if (wire) {
            to.wires.push_back(std::move(*wire));
        } else {
            rest.push_back(entry);
        }
    }
    section.keepUnread("wires", std::move(rest));
}

void readPorts(Section& section, std::string_view key, const Network& network,
               std::vector<GroupPort>& to) {
    const Json* ports = section.find(key);
    if (ports == nullptr) {
        return;
    }
    if (!ports->is_object()) {
        section.refuse(key, "an object that maps each port of the group to ports of its layers");
        return;
    }
    const LayerIds ids = idsByName(network);
    std::set<Endpoint> fed;
    for (const Wire& wire : network.wires) {
        fed.insert(wire.to);
    }
    Json rest = Json::object();
    for (const auto& [name, value] : ports->items()) {
        auto port = key == "outputs" ? outputOf(ids, name, value) : inputOf(ids, name, value, fed);
        if (port) {
            to.push_back(std::move(*port));
            continue;
        }
        section.problems().add({.code = "E103",
                                .port = name,
                                .text = fmt::format("{} {} does not name existing ports, or names "
                                                    "an input that already has a source: {}",
                                                    key, name, textForMessage(value)),
                                .fix = {.text = fmt::format(R"(write "{}": "layer.port")", name)}});
        append(rest, name, value);
    }
    section.keepUnread(key, std::move(rest));
}

std::optional<NamedWire> splitWire(std::string_view text) {
    const std::size_t arrow = text.find("->");
    if (arrow == std::string_view::npos) {
        return std::nullopt;
    }
    const auto trimmed = [](std::string_view part) {
        const std::size_t first = part.find_first_not_of(' ');
        return first == std::string_view::npos
                   ? std::string()
                   : std::string(part.substr(first, part.find_last_not_of(' ') - first + 1));
    };
    return NamedWire{trimmed(text.substr(0, arrow)), trimmed(text.substr(arrow + 2))};
}

} // namespace weft
