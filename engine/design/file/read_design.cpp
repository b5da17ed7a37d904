// SPDX-License-Identifier: Apache-2.0
#include "design/file/read_parts.h"
#include "design/names.h"
#include "design/ports.h"

#include <fmt/format.h>

namespace weft {

namespace {

struct Renaming {
    std::string name;
    bool isSecond = false;
};

Renaming groupName(const Json& entry, NameMaker& names) {
    const auto found = entry.find("name");
    if (found == entry.end() || !found->is_string() ||
        found->get_ref<const std::string&>().empty()) {
        return {names.counted("group")};
    }
    const auto& name = found->get_ref<const std::string&>();
    const bool isSecond = names.isTaken(name);
    return {names.unique(name), isSecond};
}

GroupDefinition readGroup(const Json& entry, NameMaker& names, Problems& problems) {
    GroupDefinition group;
    const Renaming naming = groupName(entry, names);
    group.name = naming.name;
    problems.setGroup(group.name);
    Section section(entry, fmt::format("group {}", group.name), problems);
    std::string written;
    section.text("name", written);
    if (naming.isSecond) {
        problems.add({.code = "E007",
                      .attribute = "name",
                      .text = fmt::format("two groups are called {}; the second was renamed {}",
                                          written, group.name),
                      .fix = {.text = "give the second group another name"}});
    }
    readAttributes(section, "parameters", group.parameters);
    readNetwork(section, group.name + "/", group.parameters, group.network);
    readPorts(section, "inputs", group.network, group.inputs);
    readPorts(section, "outputs", group.network, group.outputs);
    group.unknown = section.unreadText();
    problems.setGroup({});
    return group;
}

void readGroups(Section& design, std::vector<GroupDefinition>& to) {
    const Json* list = readList(design, "groups");
    if (list == nullptr) {
        return;
    }
    NameMaker names;
    Json rest = Json::array();
    to.reserve(list->size());
    for (const Json& entry : *list) {
        if (entry.is_object()) {
            to.push_back(readGroup(entry, names, design.problems()));
            continue;
        }
        reportEntry(
            design,
            fmt::format("an entry of groups is {}; expected an object", jsonTypeName(entry)),
            "write an object with the keys name, inputs, outputs, layers and wires");
        rest.push_back(entry);
    }
    design.keepUnread("groups", std::move(rest));
}

} // namespace

Design designFromJson(const Json& document, const std::vector<LayerKindInfo>& kinds,
                      Problems& problems) {
    Design design;
    Section section(document, "design", problems);
    section.integer("weft", design.version);
    section.text("name", design.name);
    section.text("note", design.note);
    readDevices(section, design.devices);
    std::optional<Assignment> assignment;
    readAssignment(section, assignment);
    design.assignment = assignment.value_or(Assignment{});
    readData(section, design.data);
    readTraining(section, design.training);
    readGroups(section, design.groups);
    readNetwork(section, {}, {}, design.network);
    design.unknown = section.unreadText();
    if (!kinds.empty()) {
        resolvePorts(design, kinds);
    }
    return design;
}

} // namespace weft
