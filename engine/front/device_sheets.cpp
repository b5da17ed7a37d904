// SPDX-License-Identifier: Apache-2.0
#include "front/device_sheets.h"

#include <algorithm>

namespace weft {

namespace {

const DeviceDeclaration* declarationOf(const Design& design, const std::string& device) {
    const auto found = std::ranges::find(design.devices, device, &DeviceDeclaration::name);
    return found == design.devices.end() ? nullptr : &*found;
}

bool isFromSheet(const Design& design, const std::string& device) {
    const DeviceDeclaration* declared = declarationOf(design, device);
    return declared != nullptr && !declared->sheet.empty();
}

/// The data sheets, where the design names one.
std::vector<DeviceSheet> publishedFor(const Design& design) {
    const bool isNamed = std::ranges::any_of(
        design.devices, [](const DeviceDeclaration& device) { return !device.sheet.empty(); });
    return isNamed ? dataSheets() : std::vector<DeviceSheet>{};
}

/// So many of its cores; rates in proportion.
DeviceSheet shareOf(DeviceSheet sheet, std::int64_t cores) {
    const double share =
        static_cast<double>(cores) / static_cast<double>(std::max<std::int64_t>(1, sheet.cores));
    sheet.flopsPerSecond *= share;
    sheet.bytesPerSecond *= share;
    sheet.cores = cores;
    return sheet;
}

} // namespace

std::string backendOf(const std::string& device) { return device.substr(0, device.find(':')); }

std::vector<DeviceSheet> sheetsFor(const Design& design, const std::vector<std::string>& devices,
                                   const MachineSheet& machine) {
    const std::vector<DeviceSheet> published = publishedFor(design);
    std::vector<DeviceSheet> sheets;
    for (const std::string& device : devices) {
        DeviceSheet made;
        made.isPresent = false;
        const DeviceDeclaration* declared = declarationOf(design, device);
        const auto here =
            std::ranges::find(machine.devices, backendOf(device), &DeviceSheet::backend);
        if (isFromSheet(design, device)) {
            const auto sheet = std::ranges::find(published, declared->sheet, &DeviceSheet::name);
            made = sheet == published.end() ? made : *sheet;
        } else if (here != machine.devices.end()) {
            const auto sharing = std::ranges::count_if(devices, [&](const std::string& other) {
                return backendOf(other) == backendOf(device) && !isFromSheet(design, other);
            });
            const std::int64_t cores =
                declared != nullptr && declared->cores > 0
                    ? declared->cores
                    : std::max<std::int64_t>(1, here->cores / std::max<std::int64_t>(1, sharing));
            made = shareOf(*here, cores);
        }
        made.name = device;
        sheets.push_back(std::move(made));
    }
    return sheets;
}

std::vector<Diagnostic> checkSheets(const Design& design) {
    std::vector<Diagnostic> problems;
    const std::vector<DeviceSheet> published = publishedFor(design);
    for (const DeviceDeclaration& device : design.devices) {
        if (device.sheet.empty() ||
            std::ranges::find(published, device.sheet, &DeviceSheet::name) != published.end()) {
            continue;
        }
        std::string names;
        for (const DeviceSheet& sheet : published) {
            names += (names.empty() ? "" : ", ") + sheet.name;
        }
        problems.push_back(
            {.code = "E037",
             .text = "device " + device.name + ": there is no data sheet \"" + device.sheet + "\"",
             .fix = {"choose one of " + names, {}}});
    }
    return problems;
}

} // namespace weft
