// SPDX-License-Identifier: Apache-2.0
#include "design/names.h"
#include "design/read_parts.h"

#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

namespace weft {

namespace {

// Id and name of each entry, settled before anything else is read, so that every message names its
// layer.
struct Identity {
    LayerId id;
    std::string name;
    bool isRenumbered = false;
    std::string firstName = {}; ///< where it had to be renamed
};

std::optional<std::uint32_t> idOf(const Json& entry) {
    const auto found = entry.find("id");
    if (found == entry.end() || !found->is_number_integer()) {
        return std::nullopt;
    }
    const bool isHuge = found->is_number_unsigned() && found->get<std::uint64_t>() >= LayerId::none;
    const auto number = found->get<std::int64_t>();
    return isHuge || number < 0 || number >= std::int64_t{LayerId::none}
               ? std::nullopt
               : std::optional(static_cast<std::uint32_t>(number));
}

std::string textOf(const Json& entry, std::string_view key) {
    const auto found = entry.find(key);
    return found != entry.end() && found->is_string() ? found->get<std::string>() : std::string();
}

void settleIds(const Json& list, std::vector<Identity>& identities) {
    std::unordered_set<std::uint32_t> taken;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const auto id = list[i].is_object() ? idOf(list[i]) : std::nullopt;
        if (id && taken.insert(*id).second) {
            identities[i].id = LayerId{*id};
        } else {
            identities[i].isRenumbered = id.has_value();
        }
    }
    std::uint32_t next = 1;
    for (Identity& identity : identities) {
        while (identity.id.isNone()) {
            if (taken.insert(next).second) {
                identity.id = LayerId{next};
            }
            ++next;
        }
    }
}

void settleNames(const Json& list, std::vector<Identity>& identities) {
    NameMaker names;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string name = list[i].is_object() ? textOf(list[i], "name") : std::string();
        if (!name.empty()) {
            identities[i].name = names.take(name) ? name : std::string();
            identities[i].firstName = identities[i].name.empty() ? name : std::string();
        }
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (!identities[i].name.empty() || !list[i].is_object()) {
            continue;
        }
        const std::string kind = textOf(list[i], "kind");
        const std::string group = textOf(list[i], "group");
        identities[i].name = !identities[i].firstName.empty() ? names.unique(identities[i].firstName)
                             : !group.empty()                 ? names.counted(group)
                                              : names.counted(kind.empty() ? "layer" : kind);
    }
}

void reportIdentity(const Identity& identity, Section& section) {
    if (identity.isRenumbered) {
        section.problems().add({.code = "W101",
                                .severity = Severity::warning,
                                .attribute = "id",
                                .text = fmt::format("its id stands twice; it is given {}",
                                                    identity.id.value),
                                .fix = {.text = "save the design"}});
    }
    if (!identity.firstName.empty()) {
        section.problems().add(
            {.code = "E007",
             .attribute = "name",
             .text = fmt::format("two layers are called {}; the second is now {}",
                                 identity.firstName, identity.name),
             .fix = {.text = "give it a name of its own; wires to that name reach the first"}});
    }
}

void readGroupFields(Section& section, Layer& layer) {
    section.text("group", layer.group);
    if (layer.kind.empty() && !layer.group.empty()) {
        layer.kind = "group";
    }
    if (layer.kind == "group") {
        section.integer("repeat", layer.repeat, 1);
        return;
    }
    if (!layer.group.empty()) {
        layer.group.clear();
        section.leave("group");
    }
    for (const std::string_view key : {"group", "repeat"}) {
        if (section.find(key) != nullptr) {
            section.problems().add({.code = "E101",
                                    .attribute = std::string(key),
                                    .text = fmt::format("{} belongs to layers of kind group", key),
                                    .fix = {.text = "write \"kind\": \"group\" or take it out"}});
        }
    }
}

Layer readLayer(const Json& entry, const Identity& identity, const Attributes& parameters,
                Problems& problems) {
    Section section(entry, "layer", problems);
    Layer layer;
    layer.id = identity.id;
    layer.name = identity.name;
    reportIdentity(identity, section);
    for (const std::string_view key : {"id", "name"}) {
        if (const Json* value = section.find(key)) {
            const bool isRead = key == "id" ? idOf(entry).has_value() : value->is_string();
            if (isRead) {
                section.taken(key);
            } else {
                section.refuse(key, key == "id" ? "a whole number from 0 on" : "a text");
            }
        }
    }
    section.text("kind", layer.kind);
    readGroupFields(section, layer);
    readAttributes(section, "with", layer.attributes, &layer.expressions, parameters);
    readPoint(section, "at", layer.position);
    section.boolean("muted", layer.muted);
    section.boolean("bypassed", layer.bypassed);
    readAssignment(section, layer.assignment);
    section.text("note", layer.note);
    layer.unknown = section.rest();
    return layer;
}

void readLayers(Section& section, const std::string& prefix, const Attributes& parameters,
                Network& to) {
    const Json* list = readList(section, "layers");
    if (list == nullptr) {
        return;
    }
    std::vector<Identity> identities(list->size());
    settleIds(*list, identities);
    settleNames(*list, identities);
    to.layers.reserve(list->size());
    Json rest = Json::array();
    for (std::size_t i = 0; i < list->size(); ++i) {
        if (!(*list)[i].is_object()) {
            reportEntry(section, fmt::format("layer number {} is {}", i + 1, sortOf((*list)[i])),
                        "write an object with name and kind");
            rest.push_back((*list)[i]);
            continue;
        }
        section.problems().about(identities[i].id, prefix + identities[i].name);
        to.layers.push_back(readLayer((*list)[i], identities[i], parameters, section.problems()));
        section.problems().about();
    }
    section.keep("layers", std::move(rest));
}

using LayerIds = std::unordered_map<std::string_view, LayerId>;

LayerIds idsByName(const Network& network) {
    LayerIds ids;
    for (const Layer& layer : network.layers) {
        ids.emplace(layer.name, layer.id);
    }
    return ids;
}

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

// "conv1.y", or {"layer": "conv1", "port": "y"} for names that the short form cannot tell.
std::optional<Endpoint> endpointOf(const LayerIds& ids, const Json& value) {
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

std::string shown(const Json& value) {
    constexpr std::size_t longest = 120;
    std::string text = value.is_string() ? value.get<std::string>() : jsonText(value);
    if (text.size() > longest) {
        text.resize(longest);
        text += "...";
    }
    return text;
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
            reportEntry(section, fmt::format("'{}' is no wire", shown(entry)),
                        "write \"conv1.y -> relu1.x\"");
            return std::nullopt;
        }
    } else if (entry.is_object() && entry.contains("from") && entry.contains("to")) {
        from = endpointOf(ids, entry["from"]);
        to = endpointOf(ids, entry["to"]);
    } else {
        reportEntry(section, fmt::format("'{}' is no wire", shown(entry)),
                    "write \"conv1.y -> relu1.x\", or an object with from and to");
        return std::nullopt;
    }
    if (!from || !to) {
        section.problems().add(
            {.code = "E103",
             .text = fmt::format("wire '{}' {} a layer that is not there", shown(entry),
                                 from ? "ends at" : "comes from"),
             .fix = {.text = "add the layer or take the wire out"}});
        return std::nullopt;
    }
    wire.from = std::move(*from);
    wire.to = std::move(*to);
    if (entry.is_object()) {
        Section fields(entry, "wire", section.problems());
        fields.taken("from");
        fields.taken("to");
        fields.text("scheme", wire.scheme);
        wire.unknown = fields.rest();
    }
    return wire;
}

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
                 .text = fmt::format("a second wire ends here: '{}'", shown(entry)),
                 .fix = {.text = "take one of them out, or join them by an add layer"}});
            wire.reset();
        }
        if (wire) {
            to.wires.push_back(std::move(*wire));
        } else {
            rest.push_back(entry);
        }
    }
    section.keep("wires", std::move(rest));
}

void readFrameLayers(Section& section, const LayerIds& ids, Frame& frame) {
    const Json* list = section.find("layers");
    if (list == nullptr) {
        return;
    }
    if (!list->is_array()) {
        section.refuse("layers", "a list of layers' names");
        return;
    }
    std::unordered_set<LayerId> seen;
    for (const Json& entry : *list) {
        const auto layer =
            entry.is_string() ? ids.find(entry.get_ref<const std::string&>()) : ids.end();
        if (layer == ids.end()) {
            section.problems().add(
                {.code = "W103",
                 .severity = Severity::warning,
                 .text = fmt::format("frame '{}' names a layer that is not there: {}", frame.title,
                                     shown(entry)),
                 .fix = {.text = "take the name out"}});
        } else if (seen.insert(layer->second).second) {
            frame.layers.push_back(layer->second);
        }
    }
    section.taken("layers");
}

void readFrames(Section& section, Network& to) {
    const Json* list = readList(section, "frames");
    if (list == nullptr) {
        return;
    }
    const LayerIds ids = idsByName(to);
    Json rest = Json::array();
    for (const Json& entry : *list) {
        if (!entry.is_object()) {
            reportEntry(section, "an entry of frames is no object", "write one with title and at");
            rest.push_back(entry);
            continue;
        }
        Section fields(entry, "frame", section.problems());
        Frame frame;
        fields.text("title", frame.title);
        readPoint(fields, "at", frame.topLeft);
        readPoint(fields, "size", frame.size);
        fields.integer("colour", frame.colour);
        readFrameLayers(fields, ids, frame);
        frame.unknown = fields.rest();
        to.frames.push_back(std::move(frame));
    }
    section.keep("frames", std::move(rest));
}

void readComments(Section& section, Network& to) {
    const Json* list = readList(section, "comments");
    if (list == nullptr) {
        return;
    }
    Json rest = Json::array();
    for (const Json& entry : *list) {
        if (!entry.is_object()) {
            reportEntry(section, "an entry of comments is no object", "write one with text and at");
            rest.push_back(entry);
            continue;
        }
        Section fields(entry, "comment", section.problems());
        Comment comment;
        fields.text("text", comment.text);
        readPoint(fields, "at", comment.position);
        comment.unknown = fields.rest();
        to.comments.push_back(std::move(comment));
    }
    section.keep("comments", std::move(rest));
}

std::vector<Json> entriesOf(const Json& value) {
    return value.is_array() ? value.get<std::vector<Json>>() : std::vector<Json>{value};
}

// "add1.y"; an empty list while the layer is missing.
std::optional<GroupPort> outputOf(const LayerIds& ids, const std::string& name, const Json& value) {
    const std::vector<Json> entries = entriesOf(value);
    GroupPort port{name, {}};
    if (name.empty() || entries.size() > 1) {
        return std::nullopt;
    }
    for (const Json& entry : entries) {
        auto endpoint = endpointOf(ids, entry);
        if (!endpoint) {
            return std::nullopt;
        }
        port.inside.push_back(std::move(*endpoint));
    }
    return port;
}

// "norm1.x", or a list; none of them fed by anything else.
std::optional<GroupPort> inputOf(const LayerIds& ids, const std::string& name, const Json& value,
                                 std::set<Endpoint>& fed) {
    GroupPort port{name, {}};
    if (name.empty()) {
        return std::nullopt;
    }
    std::set<Endpoint> own;
    for (const Json& entry : entriesOf(value)) {
        auto endpoint = endpointOf(ids, entry);
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

const Json* readList(Section& section, std::string_view key) {
    const Json* list = section.find(key);
    if (list == nullptr) {
        return nullptr;
    }
    if (!list->is_array()) {
        section.refuse(key, "a list");
        return nullptr;
    }
    section.taken(key);
    return list;
}

void reportEntry(Section& section, std::string text, std::string remedy) {
    section.problems().add({.code = "E102",
                            .text = std::move(text),
                            .fix = {.text = std::move(remedy)}});
}

void readNetwork(Section& section, const std::string& prefix, const Attributes& parameters,
                 Network& to) {
    readLayers(section, prefix, parameters, to);
    readWires(section, to);
    readFrames(section, to);
    readComments(section, to);
}

void readPorts(Section& section, std::string_view key, const Network& network,
               std::vector<GroupPort>& to) {
    const Json* ports = section.find(key);
    if (ports == nullptr) {
        return;
    }
    if (!ports->is_object()) {
        section.refuse(key, "an object of port and the layer ports it stands for");
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
        section.problems().add(
            {.code = "E103",
             .port = name,
             .text = fmt::format("{} {} does not stand for ports that are there and free: {}", key,
                                 name, shown(value)),
             .fix = {.text = "write \"" + name + "\": \"layer.port\""}});
        append(rest, name, value);
    }
    section.keep(key, std::move(rest));
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

std::optional<Endpoint> endpointNamed(const Network& network, std::string_view text) {
    return endpointOf(idsByName(network), text);
}

} // namespace weft
