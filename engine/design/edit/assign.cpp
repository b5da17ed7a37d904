// SPDX-License-Identifier: Apache-2.0
#include "design/edit/editing.h"
#include "design/names.h"

#include <algorithm>
#include <map>
#include <set>

namespace weft {

namespace {

using GroupNames = std::set<std::string>;

// Collects the names of a group and of those that it contains, at any depth.
void collect(const Design& design, const std::string& group, GroupNames& found) {
    const GroupDefinition* definition = design.group(group);
    if (definition == nullptr || !found.insert(group).second) {
        return;
    }
    for (const Layer& layer : definition->network.layers) {
        collect(design, layer.group, found);
    }
}

bool assignsInside(const Design& design, const GroupNames& groups) {
    return std::ranges::any_of(groups, [&](const std::string& group) {
        return std::ranges::any_of(design.group(group)->network.layers,
                                   [](const Layer& layer) { return layer.assignment.has_value(); });
    });
}

// True if an instance uses one of the groups that is not among `instances` nor inside a group.
bool isUsedElsewhere(const Design& design, const NetworkPath& path,
                     const std::vector<LayerId>& instances, const GroupNames& groups) {
    return std::ranges::any_of(allNetworks(design), [&](const NetworkPath& network) {
        return !groups.contains(network.group) &&
               std::ranges::any_of(networkAt(design, network).layers, [&](const Layer& layer) {
                   const bool isMeant =
                       network == path && std::ranges::find(instances, layer.id) != instances.end();
                   return groups.contains(layer.group) && !isMeant;
               });
    });
}

// Gives the instances copies of their groups; returns the names of the copies.
GroupNames copyDefinitions(Design& design, const NetworkPath& path,
                           const std::vector<LayerId>& instances, const GroupNames& groups) {
    std::map<std::string, std::string> names;
    for (const std::string& group : groups) {
        GroupDefinition copy = *design.group(group);
        copy.name = groupNames(design).unique(group);
        names[group] = copy.name;
        design.groups.push_back(std::move(copy));
    }
    GroupNames made;
    const auto follow = [&](Layer& layer) {
        if (const auto found = names.find(layer.group); found != names.end()) {
            layer.group = found->second;
        }
    };
    for (const auto& [before, now] : names) {
        made.insert(now);
        std::ranges::for_each(definitionNamed(design, now)->network.layers, follow);
    }
    for (const LayerId instance : instances) {
        follow(*layerIn(networkAt(design, path), instance));
    }
    return made;
}

// Removes assignments of layers inside these groups, so that they inherit that of their instance.
// To leave other instances of the groups unchanged, copies definitions where necessary.
void takeAssignmentsInside(Design& design, const NetworkPath& path,
                           const std::vector<LayerId>& layers) {
    GroupNames groups;
    for (const LayerId id : layers) {
        collect(design, layerIn(networkAt(design, path), id)->group, groups);
    }
    if (!assignsInside(design, groups)) {
        return;
    }
    if (isUsedElsewhere(design, path, layers, groups)) {
        groups = copyDefinitions(design, path, layers, groups);
    }
    for (const std::string& group : groups) {
        for (Layer& layer : definitionNamed(design, group)->network.layers) {
            layer.assignment.reset();
        }
    }
}

} // namespace

Edited assign(Design& design, const NetworkPath& path, const std::vector<LayerId>& layers,
              const std::optional<Assignment>& assignment) {
    if (auto missing = missingLayer(networkAt(design, path), layers)) {
        return *missing;
    }
    if (assignment && std::ranges::any_of(assignment->mesh, [](std::int64_t e) { return e < 1; })) {
        return refused("a mesh needs at least one device along every axis",
                       "use extents of at least 1");
    }
    takeAssignmentsInside(design, path, layers);
    for (const LayerId id : layers) {
        layerIn(networkAt(design, path), id)->assignment = assignment;
    }
    return done(layers);
}

} // namespace weft
