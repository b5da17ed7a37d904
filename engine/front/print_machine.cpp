// SPDX-License-Identifier: Apache-2.0
// What a machine has, as text and as JSON.
#include "base/json.h"
#include "base/text.h"
#include <weft/devices.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>

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

Json asJson(const TimeSpread& spread) { return Json::array({spread.low, spread.high}); }

/// Of dense arithmetic: "-2 to +7 %".
std::string spreadOf(const DeviceSheet& sheet) {
    const auto dense = sheet.opSpread.find("linear");
    return dense == sheet.opSpread.end()
               ? ""
               : fmt::format("{:+.0f} to {:+.0f} %", 100 * (dense->second.low - 1),
                             100 * (dense->second.high - 1));
}

Json asJson(const DeviceSheet& sheet) {
    Json ops = Json::object();
    for (const auto& [op, spread] : sheet.opSpread) {
        ops[op] = asJson(spread);
    }
    return {{"name", sheet.name},
            {"backend", sheet.backend},
            {"model", sheet.model},
            {"cores", sheet.cores},
            {"memory_bytes", sheet.memory.count},
            {"flops_per_second", sheet.flopsPerSecond},
            {"bytes_per_second", sheet.bytesPerSecond},
            {"overhead_ns", sheet.overhead.count},
            {"efficiency", sheet.efficiency},
            {"present", sheet.isPresent},
            {"measured", sheet.isMeasured},
            {"measured_at", sheet.measuredAt},
            {"spread",
             {{"streaming", asJson(sheet.streamSpread)},
              {"overhead", asJson(sheet.overheadSpread)},
              {"ops", std::move(ops)}}}};
}

Json asJson(const LinkSheet& link) {
    return {
        {"name", link.name},
        {"latency_ns", link.latency.count},
        {"bytes_per_second", link.bytesPerSecond},
        {"measured", link.isMeasured},
        {"spread", {{"latency", asJson(link.latencySpread)}, {"bytes", asJson(link.bytesSpread)}}}};
}

std::string originOf(bool isMeasured) { return isMeasured ? "measured" : "assumed"; }

void addDevices(std::string& text, const MachineSheet& machine) {
    TextTable table({{"device"},
                     {"cores", Align::right},
                     {"memory", Align::right},
                     {"arithmetic", Align::right},
                     {"streaming", Align::right},
                     {"per kernel", Align::right},
                     {"spread", Align::right},
                     {"rates"},
                     {"model"}});
    for (const DeviceSheet& sheet : machine.devices) {
        table.addRow({sheet.name, std::to_string(sheet.cores),
                      sheet.memory.count > 0 ? toString(sheet.memory) : "",
                      flopRate(sheet.flopsPerSecond), byteRate(sheet.bytesPerSecond),
                      toString(sheet.overhead), spreadOf(sheet), originOf(sheet.isMeasured),
                      sheet.model});
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

} // namespace

std::string print(const MachineReport& report) {
    std::string text = fmt::format("{}: {} cores, {}\n\n", report.machine.host, report.cores,
                                   toString(report.memory));
    addDevices(text, report.machine);
    addLinks(text, report.machine);
    TextTable table({{""}, {""}, {""}});
    for (const Feature& feature : report.features) {
        table.addRow(
            {feature.name, feature.isFound ? "found" : "absent",
             feature.remedy.empty() ? feature.detail : feature.detail + ": " + feature.remedy});
    }
    text += table.text();
    const bool isMeasured = report.machine.withinProcess.isMeasured;
    if (!isMeasured) {
        text += "\nassumed rates become measured ones with weft calibrate\n";
    }
    return text;
}

std::string jsonOf(const MachineReport& report) {
    Json devices = Json::array();
    for (const DeviceSheet& sheet : report.machine.devices) {
        devices.push_back(asJson(sheet));
    }
    Json links = Json::array();
    for (const LinkSheet* link : {&report.machine.withinProcess, &report.machine.withinHost,
                                  &report.machine.betweenHosts}) {
        links.push_back(asJson(*link));
    }
    Json features = Json::array();
    for (const Feature& feature : report.features) {
        features.push_back({{"name", feature.name},
                            {"found", feature.isFound},
                            {"detail", feature.detail},
                            {"remedy", feature.remedy}});
    }
    return jsonText(Json{{"host", report.machine.host},
                         {"cores", report.cores},
                         {"memory_bytes", report.memory.count},
                         {"devices", devices},
                         {"links", links},
                         {"features", features},
                         {"rates_file", report.ratesFile}},
                    1) +
           "\n";
}

} // namespace weft
