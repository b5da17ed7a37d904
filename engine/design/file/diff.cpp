// SPDX-License-Identifier: Apache-2.0
#include "design/file/document.h"
#include "design/file/layout.h"
#include "design/file/write_parts.h"
#include <weft/design_file.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>
#include <set>
#include <unordered_map>

namespace weft {

namespace {

// Writes a value in full if a person can compare it; longer values are only reported as changed.
std::string inFull(const Json& value) {
    constexpr std::size_t longest = 60;
    std::string text = value.is_string() ? value.get<std::string>() : onOneLine(value);
    return text.size() <= longest && !text.empty() ? text : jsonText(value).substr(0, longest);
}

class Difference {
public:
    [[nodiscard]] std::vector<Change> take() { return std::move(changes_); }
    void enter(std::string group) { group_ = std::move(group); }

    void say(ChangeSort sort, std::string text, LayerId layer = {}) {
        changes_.push_back({sort, group_, layer, std::move(text)});
    }

    // Compares two objects member by member; `name` precedes each.
    void members(const std::string& name, const Json& before, const Json& after,
                 LayerId layer = {}) {
        std::vector<std::string> keys;
        std::set<std::string> seen;
        for (const Json* side : {&after, &before}) {
            for (const auto& [key, value] : side->items()) {
                if (seen.insert(key).second) {
                    keys.push_back(key);
                }
            }
        }
        for (const std::string& key : keys) {
            member(name, key, before, after, layer);
        }
    }

    void networks(const Network& before, const Network& after);

private:
    void member(const std::string& name, const std::string& key, const Json& before,
                const Json& after, LayerId layer) {
        const auto old = before.find(key);
        const auto now = after.find(key);
        if (old == before.end()) {
            say(ChangeSort::changed, fmt::format("{}: {} {}", name, key, inFull(*now)), layer);
        } else if (now == after.end()) {
            say(ChangeSort::changed,
                fmt::format("{}: {} removed (was {})", name, key, inFull(*old)), layer);
        } else if (*old == *now) {
            return;
        } else if (old->is_object() && now->is_object()) {
            members(name, *old, *now, layer);
        } else {
            say(ChangeSort::changed,
                fmt::format("{}: {} {} -> {}", name, key, inFull(*old), inFull(*now)), layer);
        }
    }

    void layers(const Network& before, const Network& after);
    void wires(const Network& before, const Network& after);
    void lists(const char* what, const Json& before, const Json& after, const char* title);

    std::vector<Change> changes_;
    std::string group_;
};

void Difference::layers(const Network& before, const Network& after) {
    std::unordered_map<LayerId, const Layer*> old;
    for (const Layer& layer : before.layers) {
        old.emplace(layer.id, &layer);
    }
    std::unordered_map<LayerId, const Layer*> now;
    for (const Layer& layer : after.layers) {
        now.emplace(layer.id, &layer);
    }
    for (const Layer& layer : before.layers) {
        if (!now.contains(layer.id)) {
            say(ChangeSort::removed, fmt::format("layer {} ({}) removed", layer.name, layer.kind),
                layer.id);
        }
    }
    for (const Layer& layer : after.layers) {
        const auto was = old.find(layer.id);
        if (was == old.end()) {
            say(ChangeSort::added, fmt::format("layer {} ({}) added", layer.name, layer.kind),
                layer.id);
        } else if (*was->second != layer) {
            members(layer.name, layerJson(*was->second), layerJson(layer), layer.id);
        }
    }
}

void Difference::wires(const Network& before, const Network& after) {
    // Ends are compared by id, so that a renamed layer keeps its wires.
    std::multimap<std::pair<Endpoint, Endpoint>, const Wire*> old;
    for (const Wire& wire : before.wires) {
        old.emplace(std::pair(wire.from, wire.to), &wire);
    }
    std::vector<const Wire*> added;
    for (const Wire& wire : after.wires) {
        const auto was = old.find({wire.from, wire.to});
        if (was == old.end()) {
            added.push_back(&wire);
            continue;
        }
        const Wire* earlier = was->second;
        old.erase(was);
        if (earlier->scheme != wire.scheme) {
            say(ChangeSort::changed,
                fmt::format("wire {}: scheme {} -> {}", toString(after, wire),
                            inFull(Json(earlier->scheme)), inFull(Json(wire.scheme))));
        }
        if (earlier->via != wire.via) {
            say(ChangeSort::changed, fmt::format("wire {}: route changed", toString(after, wire)));
        }
        if (earlier->unknown != wire.unknown) {
            members(toString(after, wire), unknownOf(earlier->unknown), unknownOf(wire.unknown));
        }
    }
    for (const Wire& wire : before.wires) {
        const auto gone = old.find({wire.from, wire.to});
        if (gone != old.end() && gone->second == &wire) {
            old.erase(gone);
            say(ChangeSort::removed, fmt::format("wire {} removed", toString(before, wire)));
        }
    }
    for (const Wire* wire : added) {
        say(ChangeSort::added, fmt::format("wire {} added", toString(after, *wire)));
    }
}

// Entries without identity: a changed entry counts as one removed and one added.
void Difference::lists(const char* what, const Json& before, const Json& after, const char* title) {
    std::map<std::string, int> count;
    for (const Json& entry : before) {
        ++count[jsonText(entry)];
    }
    std::vector<const Json*> added;
    for (const Json& entry : after) {
        if (--count[jsonText(entry)] < 0) {
            added.push_back(&entry);
        }
    }
    const auto titleOf = [&](const Json& entry) {
        return entry.is_object() && entry.contains(title) ? inFull(entry[title]) : inFull(entry);
    };
    for (const Json& entry : before) {
        if (int& left = count[jsonText(entry)]; left > 0) {
            --left;
            say(ChangeSort::removed, fmt::format("{} {} removed", what, titleOf(entry)));
        }
    }
    for (const Json* entry : added) {
        say(ChangeSort::added, fmt::format("{} {} added", what, titleOf(*entry)));
    }
}

void Difference::networks(const Network& before, const Network& after) {
    const std::size_t said = changes_.size();
    layers(before, after);
    wires(before, after);
    // Frames are compared with the names of one side, so that a renamed layer changes no frame.
    lists("frame", framesJson(after, before.frames), framesJson(after, after.frames), "title");
    lists("comment", commentsJson(before.comments), commentsJson(after.comments), "text");
    if (said == changes_.size() && before != after) {
        say(ChangeSort::changed, "the order of layers and wires changed");
    }
}

// A layer with a position on one side only counts as not moved.
void levelPlaces(Network& before, const Network& after) {
    std::unordered_map<LayerId, const Layer*> now;
    for (const Layer& layer : after.layers) {
        now.emplace(layer.id, &layer);
    }
    for (Layer& layer : before.layers) {
        const auto same = now.find(layer.id);
        if (same != now.end() && !(layer.position && same->second->position)) {
            layer.position = same->second->position;
        }
    }
}

} // namespace

std::vector<Change> diff(const Design& before, const Design& after) {
    Design levelled = before;
    levelPlaces(levelled.network, after.network);
    for (GroupDefinition& group : levelled.groups) {
        if (const GroupDefinition* same = after.group(group.name)) {
            levelPlaces(group.network, same->network);
        }
    }
    Difference difference;
    Json old = toJson(levelled);
    Json now = toJson(after);
    for (Json* side : {&old, &now}) {
        for (const char* key : {"layers", "wires", "frames", "comments", "groups"}) {
            side->erase(key);
        }
    }
    difference.members("design", old, now);
    for (const GroupDefinition& group : levelled.groups) {
        if (after.group(group.name) == nullptr) {
            difference.say(ChangeSort::removed, fmt::format("group {} removed", group.name));
        }
    }
    for (const GroupDefinition& group : after.groups) {
        const GroupDefinition* was = levelled.group(group.name);
        if (was == nullptr) {
            difference.say(ChangeSort::added, fmt::format("group {} added", group.name));
            continue;
        }
        if (*was != group) {
            difference.enter(group.name);
            difference.members(fmt::format("group {}", group.name), groupHeadJson(*was),
                               groupHeadJson(group));
            difference.networks(was->network, group.network);
        }
    }
    difference.enter({});
    difference.networks(levelled.network, after.network);
    return difference.take();
}

} // namespace weft
