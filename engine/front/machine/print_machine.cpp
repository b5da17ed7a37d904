// SPDX-License-Identifier: Apache-2.0
// Prints a machine's hardware as text and as JSON.
#include "base/text/json.h"
#include "base/text/text.h"
#include "compile/registry.h"
#include "device/backend.h"
#include "device/sheet_json.h"
#include "schedule/select/stream_count.h"
#include <weft/devices.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace weft {

namespace {

std::string flopRate(double perSecond) {
    constexpr std::array<std::string_view, 5> units{"flop/s", "Kflop/s", "Mflop/s", "Gflop/s",
                                                    "Tflop/s"};
    return perSecond > 0 ? scaledAmount(perSecond, units) : "unknown";
}

std::string byteRate(double perSecond) {
    constexpr std::array<std::string_view, 5> units{"B/s", "kB/s", "MB/s", "GB/s", "TB/s"};
    return perSecond > 0 ? scaledAmount(perSecond, units) : "unknown";
}

/// Returns "67 Tflop/s, in TF32 494 Tflop/s, in bf16 989 Tflop/s".
std::string arithmeticOf(const DeviceSheet& sheet) {
    std::string text = flopRate(sheet.flopsPerSecond);
    for (const Precision precision : {Precision::tf32, Precision::bf16}) {
        if (const double rate = flopsPerSecondIn(precision, sheet); rate > 0) {
            text += fmt::format(", in {} {}", nameOf(precision), flopRate(rate));
        }
    }
    return text;
}

/// Returns the deviation of the dense rate: "-2 to +7 %".
std::string spreadOf(const DeviceSheet& sheet) {
    const auto dense = sheet.opSpread.find("linear");
    return dense == sheet.opSpread.end()
               ? ""
               : fmt::format("{:+.0f} to {:+.0f} %", 100 * (dense->second.low - 1),
                             100 * (dense->second.high - 1));
}

/// Returns "PCIe 5, 48 GB/s".
std::string joinOf(const std::optional<LinkSheet>& link) {
    return link ? fmt::format("{}, {}", link->name, byteRate(link->bytesPerSecond)) : std::string();
}

std::string originOf(bool isMeasured) { return isMeasured ? "measured" : "assumed"; }

/// Returns "80.0 GB, 79.1 GB free".
std::string memoryOf(const DeviceSheet& sheet, const MachineReport& report) {
    const auto free = report.freeMemory.find(sheet.name);
    return (sheet.memory.count > 0 ? toString(sheet.memory) : "") +
           (free == report.freeMemory.end() ? ""
                                            : fmt::format(", {} free", toString(free->second)));
}

void addDevices(std::string& text, const MachineReport& report) {
    TextTable table({{"device"},
                     {"cores", Align::right},
                     {"memory", Align::right},
                     {"arithmetic", Align::right},
                     {"streaming", Align::right},
                     {"per kernel", Align::right},
                     {"spread", Align::right},
                     {"rates"},
                     {"to its host"},
                     {"to another"},
                     {"model"}});
    for (const DeviceSheet& sheet : report.machine.devices) {
        table.addRow({sheet.name, std::to_string(sheet.cores), memoryOf(sheet, report),
                      arithmeticOf(sheet), byteRate(sheet.bytesPerSecond), toString(sheet.overhead),
                      spreadOf(sheet), originOf(sheet.isMeasured), joinOf(sheet.bus),
                      joinOf(sheet.peer), sheet.model});
    }
    text += table.text() + "\n";
}

void addLinks(std::string& text, const MachineSheet& machine) {
    TextTable table({{"link"}, {"latency", Align::right}, {"rate", Align::right}, {"rates"}});
    for (const LinkSheet* link :
         {&machine.withinProcess, &machine.withinHost, &machine.betweenHosts}) {
        table.addRow({link->name, toString(link->latency), byteRate(link->bytesPerSecond),
                      originOf(link->isMeasured)});
    }
    text += table.text() + "\n";
}

/// Returns the values of training.precision that the device supports.
std::vector<std::string> precisionsOf(const BackendList& backends, const DeviceSheet& sheet) {
    const Backend* backend = backends.find(sheet.backend);
    std::vector<std::string> precisions{"exact"};
    for (const auto& [precision, word] :
         {std::pair(Precision::tf32, "tf32"), std::pair(Precision::bf16, "bf16")}) {
        if (backend == nullptr ? flopsPerSecondIn(precision, sheet) > 0
                               : whyNotRounded(precision, *backend, sheet).empty()) {
            precisions.emplace_back(word);
        }
    }
    return precisions;
}

std::int64_t mostStreams(const DeviceSheet& sheet) {
    return sheet.threads > 0 ? mostStreamsOfAChip : sheet.cores;
}

/// Adds a table of streams and precisions, with one row for all devices that are equal.
void addStreams(std::string& text, const std::vector<DeviceSheet>& devices) {
    const auto registry = makeRegistry();
    std::vector<std::vector<std::string>> rows;
    for (const DeviceSheet& sheet : devices) {
        const std::string streams =
            fmt::format("up to {}, {}", mostStreams(sheet),
                        sheet.threads > 0 ? "as streams of the GPU; one more copies batches"
                                          : "on cores of their own");
        const std::string precisions =
            fmt::format("{}", fmt::join(precisionsOf(registry->backends, sheet), ", "));
        const auto like = std::ranges::find_if(rows, [&](const std::vector<std::string>& row) {
            return row[1] == streams && row[2] == precisions;
        });
        like == rows.end() ? rows.push_back({sheet.name, streams, precisions})
                           : void(like->front() += ", " + sheet.name);
    }
    TextTable table({{"device"}, {"streams"}, {"precision"}});
    for (std::vector<std::string>& row : rows) {
        table.addRow(std::move(row));
    }
    text += table.text() + "a run uses training.streams, or as many streams as shorten its step, "
                           "and training.precision\n\n";
}

/// True if a calibration would measure rates that are not measured yet.
bool mayBeMeasured(const MachineSheet& machine) {
    return !machine.withinProcess.isMeasured ||
           std::ranges::any_of(machine.devices, [](const DeviceSheet& sheet) {
               return sheet.isPresent && !sheet.isMeasured && sheet.backend != "reference";
           });
}

} // namespace

std::string print(const MachineReport& report) {
    std::string text = fmt::format("{}: {} cores, {}\n\n", report.machine.host, report.cores,
                                   toString(report.memory));
    addDevices(text, report);
    addStreams(text, report.machine.devices);
    addLinks(text, report.machine);
    TextTable table({{""}, {""}, {""}});
    for (const Feature& feature : report.features) {
        table.addRow(
            {feature.name, feature.isFound ? "found" : "absent",
             feature.remedy.empty() ? feature.detail : feature.detail + ": " + feature.remedy});
    }
    text += table.text();
    const std::vector<std::string> remarks = remarksOn(report.machine.devices);
    text += remarks.empty() ? "" : fmt::format("\n{}\n", fmt::join(remarks, "\n"));
    if (mayBeMeasured(report.machine)) {
        text += "\nweft calibrate replaces assumed rates by measured ones\n";
    }
    return text;
}

std::string jsonOf(const MachineReport& report) {
    Json features = Json::array();
    for (const Feature& feature : report.features) {
        features.push_back({{"name", feature.name},
                            {"found", feature.isFound},
                            {"detail", feature.detail},
                            {"remedy", feature.remedy}});
    }
    Json all = asJson(report.machine);
    all["cores"] = report.cores;
    all["memory_bytes"] = report.memory.count;
    all["features"] = std::move(features);
    all["rates_file"] = report.ratesFile;
    all["free_bytes"] = Json::object();
    for (const auto& [device, free] : report.freeMemory) {
        all["free_bytes"][device] = free.count;
    }
    const auto registry = makeRegistry();
    for (const DeviceSheet& sheet : report.machine.devices) {
        all["most_lanes"][sheet.name] = mostStreams(sheet);
        all["precisions"][sheet.name] = precisionsOf(registry->backends, sheet);
    }
    all["remarks"] = remarksOn(report.machine.devices);
    return jsonText(all, 1) + "\n";
}

} // namespace weft
