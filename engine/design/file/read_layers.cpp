// SPDX-License-Identifier: Apache-2.0
#include "base/text/text.h"
#include "design/file/read_parts.h"
#include "design/names.h"

#include <fmt/format.h>

#include <unordered_set>

namespace weft {

namespace {

// Id and name of each entry, determined first, so that every message can name its layer.
struct Identity {
    LayerId id;
    std::string name;
    bool isRenumbered = false;
    std::string firstName = {}; ///< set if the layer was renamed
    bool isShortened = false;
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
        std::string name = list[i].is_object() ? textOf(list[i], "name") : std::string();
        if (name.size() > longestName) {
            name = firstColumns(std::string_view(name).substr(0, longestName), longestName / 4);
            identities[i].isShortened = true;
        }
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
        identities[i].name = !identities[i].firstName.empty()
                                 ? names.unique(identities[i].firstName)
                             : !group.empty() ? names.counted(group)
                                              : names.counted(kind.empty() ? "layer" : kind);
    }
}

void reportIdentity(const Identity& identity, Section& section) {
    if (identity.isRenumbered) {
        section.problems().add(
            {.code = "W101",
             .severity = Severity::warning,
             .attribute = "id",
             .text = fmt::format("another layer has the same id; this layer gets the id {}",
                                 identity.id.value),
             .fix = {.text = "save the design to keep the new id"}});
    }
    if (identity.isShortened) {
        section.problems().add(
            {.code = "E007",
             .attribute = "name",
             .text = fmt::format("the name is longer than {} bytes and was truncated", longestName),
             .fix = {.text = "give the layer a shorter name"}});
    }
    if (!identity.firstName.empty()) {
        section.problems().add(
            {.code = "E007",
             .attribute = "name",
             .text = fmt::format("two layers are called {}; the second was renamed {}",
                                 identity.firstName, identity.name),
             .fix = {.text = "give the second layer another name; wires that use the name connect "
                             "to the first"}});
    }
}

void readGroupFields(Section& section, Layer& layer) {
    section.text("group", layer.group);
    if (layer.kind.empty() && !layer.group.empty()) {
        layer.kind = groupKind;
    }
    if (layer.kind == groupKind) {
        section.integer("repeat", layer.repeat, 1);
        return;
    }
    if (!layer.group.empty()) {
        layer.group.clear();
        section.unmarkRead("group");
    }
    for (const std::string_view key : {"group", "repeat"}) {
        if (section.find(key) != nullptr) {
            section.problems().add(
                {.code = "E101",
                 .attribute = std::string(key),
                 .text = fmt::format("{} is allowed only in layers of kind group", key),
                 .fix = {.text = R"(write "kind": "group", or remove the key)"}});
        }
    }
}

// If any layer has a position, a layer without an entry "at" gets [0, 0].
void placeTheUnsaid(const Json& list, Network& network) {
    const auto isPlaced = [](const Layer& layer) { return layer.position.has_value(); };
    if (std::ranges::none_of(network.layers, isPlaced)) {
        return;
    }
    auto layer = network.layers.begin();
    for (const Json& entry : list) {
        if (entry.is_object()) {
            if (!isPlaced(*layer) && !entry.contains("at")) {
                layer->position = Point{};
            }
            ++layer;
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
                section.markRead(key);
            } else {
                section.refuse(key, key == "id" ? "a whole number of at least 0" : "a text");
            }
        }
    }
    section.text("kind", layer.kind);
    readGroupFields(section, layer);
    readAttributes(section, "with", layer.attributes, &layer.expressions, parameters);
    layer.position = readPoint(section, "at");
    section.boolean("muted", layer.muted);
    section.boolean("bypassed", layer.bypassed);
    section.boolean("pinned", layer.pinned);
    readAssignment(section, layer.assignment);
    section.text("note", layer.note);
    layer.unknown = section.unreadText();
    return layer;
}

} // namespace

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
            reportEntry(section,
                        fmt::format("layer number {} is {}; expected an object", i + 1,
                                    jsonTypeName((*list)[i])),
                        "write an object with the keys name and kind");
            rest.push_back((*list)[i]);
            continue;
        }
        section.problems().setLayer(identities[i].id, prefix + identities[i].name);
        to.layers.push_back(readLayer((*list)[i], identities[i], parameters, section.problems()));
        section.problems().setLayer();
    }
    placeTheUnsaid(*list, to);
    section.keepUnread("layers", std::move(rest));
}

} // namespace weft
