// SPDX-License-Identifier: Apache-2.0
#include "design/edit/editing.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace weft {

namespace {

bool isDeclared(const Design& design, const std::string& name) {
    return std::ranges::find(design.devices, name, &DeviceDeclaration::name) !=
           design.devices.end();
}

// Visits every assignment of the design; `where` is its layer, or empty for the default.
void forEachAssignment(Design& design,
                       const std::function<void(Assignment&, const std::string& where)>& visit) {
    visit(design.assignment, {});
    for (const NetworkPath& path : allNetworks(design)) {
        for (Layer& layer : networkAt(design, path).layers) {
            if (layer.assignment) {
                visit(*layer.assignment, layer.name);
            }
        }
    }
}

} // namespace

Edited declareDevice(Design& design, DeviceDeclaration device) {
    if (device.name.empty()) {
        return refused("a device needs a name", "write \"cpu:0\"");
    }
    if (isDeclared(design, device.name)) {
        return refused(fmt::format("device {} is already declared", device.name),
                       "choose another name");
    }
    design.devices.push_back(std::move(device));
    return done({}, design.devices.back().name);
}

Edited renameDevice(Design& design, const std::string& name, const std::string& newName) {
    const auto device = std::ranges::find(design.devices, name, &DeviceDeclaration::name);
    if (device == design.devices.end()) {
        return refused(fmt::format("there is no device {}", name), "choose a declared device");
    }
    if (newName.empty() || (newName != name && isDeclared(design, newName))) {
        return refused(fmt::format("the device name '{}' is empty or already used", newName),
                       "choose another name");
    }
    device->name = newName;
    forEachAssignment(design, [&](Assignment& assignment, const std::string&) {
        std::ranges::replace(assignment.devices, name, newName);
    });
    return done({}, newName);
}

Edited replaceWord(Design& design, AxisWord from, AxisWord to) {
    bool isThere = false;
    forEachAssignment(design, [&](Assignment& assignment, const std::string&) {
        isThere = isThere || std::ranges::find(assignment.words, from) != assignment.words.end();
        std::ranges::replace(assignment.words, from, to);
    });
    return isThere ? done()
                   : refused(fmt::format("no assignment of the design contains {}", nameOf(from)),
                             "correct the design by hand");
}

Edited removeDevice(Design& design, const std::string& name) {
    if (!isDeclared(design, name)) {
        return refused(fmt::format("there is no device {}", name), "choose a declared device");
    }
    std::string user;
    bool isUsed = false;
    forEachAssignment(design, [&](Assignment& assignment, const std::string& where) {
        if (!isUsed && std::ranges::find(assignment.devices, name) != assignment.devices.end()) {
            isUsed = true;
            user = where.empty() ? "the design's default assignment" : where;
        }
    });
    if (isUsed) {
        return refused(fmt::format("device {} is used by {}", name, user),
                       "assign that to another device first");
    }
    std::erase_if(design.devices,
                  [&](const DeviceDeclaration& device) { return device.name == name; });
    return done();
}

} // namespace weft
