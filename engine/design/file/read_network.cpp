// SPDX-License-Identifier: Apache-2.0
#include "base/text/text.h"
#include "design/file/read_parts.h"

#include <fmt/format.h>

#include <unordered_set>

namespace weft {

namespace {

void readFrameLayers(Section& section, const LayerIds& ids, Frame& frame) {
    const Json* list = section.find("layers");
    if (list == nullptr) {
        return;
    }
    if (!list->is_array()) {
        section.refuse("layers", "a list of layer names");
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
                 .text = fmt::format("frame '{}' names a layer that does not exist: {}",
                                     frame.title, textForMessage(entry)),
                 .fix = {.text = "remove that name"}});
        } else if (seen.insert(layer->second).second) {
            frame.layers.push_back(layer->second);
        }
    }
    section.markRead("layers");
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
            reportEntry(section, "an entry of frames is not an object",
                        "write an object with the keys title and at");
            rest.push_back(entry);
            continue;
        }
        Section fields(entry, "frame", section.problems());
        Frame frame;
        fields.text("title", frame.title);
        frame.topLeft = readPoint(fields, "at").value_or(Point{});
        frame.size = readPoint(fields, "size").value_or(Point{});
        fields.integer("colour", frame.colour);
        readFrameLayers(fields, ids, frame);
        frame.unknown = fields.unreadText();
        to.frames.push_back(std::move(frame));
    }
    section.keepUnread("frames", std::move(rest));
}

void readComments(Section& section, Network& to) {
    const Json* list = readList(section, "comments");
    if (list == nullptr) {
        return;
    }
    Json rest = Json::array();
    for (const Json& entry : *list) {
        if (!entry.is_object()) {
            reportEntry(section, "an entry of comments is not an object",
                        "write an object with the keys text and at");
            rest.push_back(entry);
            continue;
        }
        Section fields(entry, "comment", section.problems());
        Comment comment;
        fields.text("text", comment.text);
        comment.position = readPoint(fields, "at").value_or(Point{});
        comment.unknown = fields.unreadText();
        to.comments.push_back(std::move(comment));
    }
    section.keepUnread("comments", std::move(rest));
}

} // namespace

std::string textOf(const Json& entry, std::string_view key) {
    const auto found = entry.find(key);
    return found != entry.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string textForMessage(const Json& value) {
    constexpr std::size_t longest = 120;
    return elided(value.is_string() ? value.get<std::string>() : jsonText(value), longest);
}

LayerIds idsByName(const Network& network) {
    LayerIds ids;
    for (const Layer& layer : network.layers) {
        ids.emplace(layer.name, layer.id);
    }
    return ids;
}

const Json* readList(Section& section, std::string_view key) {
    const Json* list = section.find(key);
    if (list == nullptr) {
        return nullptr;
    }
    if (!list->is_array()) {
        section.refuse(key, "a list");
        return nullptr;
    }
    section.markRead(key);
    return list;
}

void reportEntry(Section& section, std::string text, std::string remedy) {
    section.problems().add(
        {.code = "E102", .text = std::move(text), .fix = {.text = std::move(remedy)}});
}

void readNetwork(Section& section, const std::string& prefix, const Attributes& parameters,
                 Network& to) {
    readLayers(section, prefix, parameters, to);
    readWires(section, to);
    readFrames(section, to);
    readComments(section, to);
}

} // namespace weft
