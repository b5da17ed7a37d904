// SPDX-License-Identifier: Apache-2.0
#include "base/limits.h"
#include "design/names.h"
#include "lower/check_structure.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace weft {

namespace {

constexpr std::size_t mostAxes = 2;

bool isDeclared(const Design& design, const std::string& name) {
    return std::ranges::find(design.devices, name, &DeviceDeclaration::name) !=
           design.devices.end();
}

// Returns the number of axes of the assignment's mesh; 0 if that depends on the inputs.
std::size_t axesOf(const Design& design, const Assignment& assignment) {
    if (!assignment.mesh.empty()) {
        return assignment.mesh.size();
    }
    const bool isAlone = !assignment.devices.empty() || &assignment == &design.assignment;
    return isAlone ? 1 : design.assignment.mesh.size();
}

// Returns the number of devices of the assignment; 0 if that depends on the inputs.
std::size_t devicesOf(const Design& design, const Assignment& assignment) {
    if (!assignment.devices.empty()) {
        return assignment.devices.size();
    }
    if (!design.assignment.devices.empty()) {
        return design.assignment.devices.size();
    }
    return &assignment == &design.assignment ? design.devices.size() : 0;
}

} // namespace

std::optional<Diagnostic> deviceCountProblem(std::size_t count) {
    if (count <= limits::devices) {
        return std::nullopt;
    }
    return Diagnostic{.code = "E039",
                      .attribute = "devices",
                      .text = fmt::format("{} devices are more than the {} that a design can have",
                                          count, limits::devices),
                      .fix = {"use fewer devices", {}}};
}

void checkAssignment(const Design& design, const Assignment& assignment,
                     const ProblemSubject& subject, ProblemList& problems) {
    const auto say = [&](const char* code, std::string text, Fix fix) {
        problems.add(
            subject,
            {.code = code, .attribute = "assign", .text = std::move(text), .fix = std::move(fix)});
    };
    if (auto problem = deviceCountProblem(assignment.devices.size())) {
        say("E039", std::move(problem->text), std::move(problem->fix));
        return;
    }
    std::set<std::string> seen;
    for (const std::string& device : assignment.devices) {
        if (!seen.insert(device).second) {
            say("E031", fmt::format("device {} is named twice in the assignment", device),
                {"name each device once", {}});
        } else if (!isDeclared(design, device)) {
            say("E030", fmt::format("device {} is not declared in this design", device),
                fixBy("declare it", "declare", {device}));
        }
    }
    const std::size_t axes = axesOf(design, assignment);
    if (axes > mostAxes || assignment.words.size() > mostAxes) {
        say("E035",
            fmt::format("the mesh has {} axes; expected one or two",
                        std::max(axes, assignment.words.size())),
            {"arrange the devices along one or two axes", {}});
        return;
    }
    if (axes != 0 && assignment.words.size() > axes) {
        say("E033",
            fmt::format("the assignment has {} words, but the mesh has {}", assignment.words.size(),
                        axes == 1 ? "one axis" : "two axes"),
            {"use a mesh with one axis for each word, such as \"mesh\": [2, 2], or fewer words",
             {}});
    }
    if (assignment.mesh.empty()) {
        return;
    }
    std::int64_t product = 1;
    for (const std::int64_t extent : assignment.mesh) {
        constexpr std::int64_t mostDevices = 1 << 20;
        product = extent < 1 || extent > mostDevices ? -1 : std::min(product * extent, mostDevices);
        if (product < 0) {
            break;
        }
    }
    const std::size_t devices = devicesOf(design, assignment);
    if (devices > 0 && product != static_cast<std::int64_t>(devices)) {
        say("E034",
            fmt::format("a mesh of {} does not match {} devices", fmt::join(assignment.mesh, " x "),
                        devices),
            {"use extents whose product is the number of devices", {}});
    }
}

void checkDevices(const Design& design, ProblemList& problems) {
    if (auto problem = deviceCountProblem(design.devices.size())) {
        problems.add(std::move(*problem));
        return;
    }
    std::set<std::string> seen;
    for (const DeviceDeclaration& device : design.devices) {
        if (!isDeviceName(device.name)) {
            problems.add({.code = "E038",
                          .attribute = "devices",
                          .text = fmt::format("'{}' is not a device name", device.name),
                          .fix = {"use a name such as cpu:0 or cuda:0/1", {}}});
        }
        if (device.cores < 0 || device.cores > limits::cores) {
            problems.add(
                {.code = "E038",
                 .attribute = "devices",
                 .text = fmt::format("{} cannot have {} cores", device.name, device.cores),
                 .fix = {
                     fmt::format(
                         "declare at most {}, or 0 for an equal share of the cores of the machine",
                         limits::cores),
                     {}}});
        }
        if (device.cores > 0 && device.name.starts_with("cuda:")) {
            problems.add({.code = "E038",
                          .attribute = "devices",
                          .text = fmt::format(
                              "{} cannot have cores: only CPU devices use the cores of the host",
                              device.name),
                          .fix = {"remove cores", {}}});
        }
        if (!seen.insert(device.name).second) {
            problems.add({.code = "E036",
                          .attribute = "devices",
                          .text = fmt::format("device {} is declared twice", device.name),
                          .fix = {"give each device a unique name", {}}});
        }
    }
}

} // namespace weft
