// SPDX-License-Identifier: Apache-2.0
#include "design/edit/editing.h"
#include "design/edit/fragment.h"
#include "design/names.h"
#include <weft/design_file.h>
#include <weft/error.h>
#include <weft/group_edits.h>

#include <fmt/format.h>

#include <algorithm>

namespace weft {

namespace {

std::vector<LayerId> madeOf(const std::map<LayerId, LayerId>& ids, const Network& fragment) {
    std::vector<LayerId> made;
    made.reserve(fragment.layers.size());
    for (const Layer& layer : fragment.layers) {
        made.push_back(ids.at(layer.id));
    }
    return made;
}

// Returns the definitions that a network uses, at any depth.
std::set<std::string> groupsOf(const Design& design, const Network& network) {
    std::set<std::string> names;
    std::vector<const Network*> open = {&network};
    while (!open.empty()) {
        const Network* at = open.back();
        open.pop_back();
        for (const Layer& layer : at->layers) {
            const GroupDefinition* group = design.group(layer.group);
            if (group != nullptr && names.insert(layer.group).second) {
                open.push_back(&group->network);
            }
        }
    }
    return names;
}

// Returns new names for pasted definitions that exist here with other contents, and for those that
// use such definitions.
std::map<std::string, std::string> newNames(const Design& design, const Design& pasted) {
    NameMaker names = groupNames(design);
    std::set<std::string> differing;
    for (const GroupDefinition& group : pasted.groups) {
        const GroupDefinition* here = design.group(group.name);
        if (here != nullptr && *here != group) {
            differing.insert(group.name);
        }
    }
    std::map<std::string, std::string> renamed;
    for (const GroupDefinition& group : pasted.groups) {
        const bool usesSuch = std::ranges::any_of(
            differing, [&](const std::string& other) { return holds(pasted, group.name, other); });
        if (usesSuch && design.group(group.name) != nullptr) {
            renamed.emplace(group.name, names.unique(group.name));
        }
    }
    return renamed;
}

void renameInstances(Network& network, const std::map<std::string, std::string>& renamed) {
    for (Layer& layer : network.layers) {
        if (const auto now = renamed.find(layer.group); now != renamed.end()) {
            layer.group = now->second;
        }
    }
}

Edited pasteDesign(Design& design, const NetworkPath& path, Design pasted, Point offset) {
    const std::map<std::string, std::string> renamed = newNames(design, pasted);
    for (GroupDefinition& group : pasted.groups) {
        renameInstances(group.network, renamed);
        const auto now = renamed.find(group.name);
        group.name = now == renamed.end() ? group.name : now->second;
    }
    renameInstances(pasted.network, renamed);
    Design draft = design;
    for (GroupDefinition& group : pasted.groups) {
        if (draft.group(group.name) == nullptr) {
            draft.groups.push_back(std::move(group));
        }
    }
    for (const Layer& layer : pasted.network.layers) {
        if (!path.group.empty() && !layer.group.empty() && holds(draft, layer.group, path.group)) {
            return refused(fmt::format("group {} would contain itself", path.group),
                           "paste outside that group");
        }
    }
    const auto ids = addFragment(networkAt(draft, path), pasted.network, offset);
    design = std::move(draft);
    return done(madeOf(ids, pasted.network));
}

} // namespace

Edited duplicate(Design& design, const NetworkPath& path, const std::vector<LayerId>& layers,
                 Point offset, bool withInputs) {
    Network& network = networkAt(design, path);
    if (auto missing = missingLayer(network, layers)) {
        return *missing;
    }
    if (!isFinite(offset)) {
        return refused("the positions of the copies would be NaN or infinite",
                       "use a smaller offset");
    }
    const Network fragment = fragmentOf(network, layers);
    const std::size_t wires = network.wires.size();
    const auto ids = addFragment(network, fragment, offset);
    for (std::size_t i = 0; withInputs && i < wires; ++i) {
        Wire wire = network.wires[i];
        const auto to = ids.find(wire.to.layer);
        if (to != ids.end() && !ids.contains(wire.from.layer)) {
            wire.to.layer = to->second;
            network.wires.push_back(std::move(wire));
        }
    }
    return done(madeOf(ids, fragment));
}

std::string copyText(const Design& design, const NetworkPath& path,
                     const std::vector<LayerId>& layers) {
    Design copy;
    copy.network = fragmentOf(networkAt(design, path), layers);
    const std::set<std::string> used = groupsOf(design, copy.network);
    for (const GroupDefinition& group : design.groups) {
        if (used.contains(group.name)) {
            copy.groups.push_back(group);
        }
    }
    return toText(copy);
}

Edited paste(Design& design, const NetworkPath& path, std::string_view text, Point offset) {
    ensure(hasNetwork(design, path), "the network that is edited belongs to the design");
    if (!isFinite(offset)) {
        return refused("the positions of the copies would be NaN or infinite",
                       "use a smaller offset");
    }
    try {
        LoadedDesign loaded = parseDesign(text, {}, "clipboard");
        if (loaded.design.network.layers.empty()) {
            return refused("the clipboard contains no layers", "copy some layers first");
        }
        return pasteDesign(design, path, std::move(loaded.design), offset);
    } catch (const Error& error) {
        return refused(fmt::format("the clipboard does not contain layers: {}", error.problem()),
                       "copy some layers first");
    }
}

} // namespace weft
