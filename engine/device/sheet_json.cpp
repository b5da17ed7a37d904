// SPDX-License-Identifier: Apache-2.0
#include "device/sheet_json.h"

#include <weft/error.h>

#include <nlohmann/json.hpp>

namespace weft {

namespace {

constexpr const char* tf32Rate = "tf32_flops_per_second";
constexpr const char* bf16Rate = "bf16_flops_per_second";

/// Reads [low, high] under a key; unknown in files of older versions without it.
TimeDeviation spreadIn(const Json& spreads, const std::string& key) {
    const auto found = spreads.find(key);
    if (found == spreads.end() || found->size() != 2) {
        return {};
    }
    const TimeDeviation spread{found->at(0).get<double>(), found->at(1).get<double>()};
    return spread.low > 0 && spread.low <= 1 && spread.high >= 1 ? spread : TimeDeviation{};
}

Json asJson(const TimeDeviation& spread) { return Json::array({spread.low, spread.high}); }

Json spreadsOf(const DeviceSheet& sheet) {
    Json ops = Json::object();
    for (const auto& [op, spread] : sheet.opSpread) {
        ops[op] = asJson(spread);
    }
    return {{"streaming", asJson(sheet.streamSpread)},
            {"overhead", asJson(sheet.overheadSpread)},
            {"ops", std::move(ops)}};
}

void readLink(const Json& from, LinkSheet& link) {
    link.name = from.at("name").get<std::string>();
    link.isMeasured = from.at("measured").get<bool>();
    readRates(from, link);
}

/// Returns nothing for files of older versions without links.
std::optional<LinkSheet> linkIn(const Json& entry, const char* key) {
    const auto found = entry.find(key);
    if (found == entry.end() || found->is_null()) {
        return std::nullopt;
    }
    LinkSheet link;
    readLink(*found, link);
    return link;
}

Json asJson(const std::optional<LinkSheet>& link) { return link ? asJson(*link) : Json(nullptr); }

DeviceSheet deviceOf(const Json& entry) {
    DeviceSheet sheet;
    sheet.name = entry.at("name").get<std::string>();
    sheet.backend = entry.at("backend").get<std::string>();
    sheet.model = entry.at("model").get<std::string>();
    sheet.generation = entry.value("generation", 0); // absent in older files
    sheet.library = entry.value("library", "");
    sheet.cores = entry.at("cores").get<std::int64_t>();
    sheet.memory = {entry.at("memory_bytes").get<std::int64_t>()};
    sheet.isPresent = entry.at("present").get<bool>();
    sheet.isMeasured = entry.at("measured").get<bool>();
    readRates(entry, sheet);
    sheet.bus = linkIn(entry, "bus");
    sheet.peer = linkIn(entry, "peer");
    sheet.threads = entry.value("threads", std::int64_t{0});
    sheet.plans = plansFrom(entry.value("plans", Json::object()));
    return sheet;
}

} // namespace

Json asJson(const DeviceSheet& sheet) {
    return {{"name", sheet.name},
            {"backend", sheet.backend},
            {"model", sheet.model},
            {"generation", sheet.generation},
            {"library", sheet.library},
            {"cores", sheet.cores},
            {"memory_bytes", sheet.memory.count},
            {"flops_per_second", sheet.flopsPerSecond},
            {tf32Rate, sheet.tf32FlopsPerSecond},
            {bf16Rate, sheet.bf16FlopsPerSecond},
            {"bytes_per_second", sheet.bytesPerSecond},
            {"overhead_ns", sheet.overhead.count},
            {"efficiency", sheet.efficiency},
            {"present", sheet.isPresent},
            {"measured", sheet.isMeasured},
            {"measured_at", sheet.measuredAt},
            {"bus", asJson(sheet.bus)},
            {"peer", asJson(sheet.peer)},
            {"threads", sheet.threads},
            {"plans", asJson(sheet.plans)},
            {"spread", spreadsOf(sheet)}};
}

Json asJson(const MeasuredPlans& plans) {
    Json best = Json::object();
    for (const auto& [name, plan] : plans.best) {
        best[name] = {{"engine", plan.engine},
                      {"workspace_bytes", plan.workspace.count},
                      {"time_ns", plan.time.count},
                      {"spread", asJson(plan.spread)}};
    }
    return {{"model", plans.model}, {"library", plans.library}, {"best", std::move(best)}};
}

MeasuredPlans plansFrom(const Json& from) {
    MeasuredPlans plans{.model = from.value("model", ""), .library = from.value("library", "")};
    const Json best = from.value("best", Json::object());
    for (const auto& [name, plan] : best.items()) {
        const MeasuredPlan read{.engine = plan.at("engine").get<std::string>(),
                                .workspace = {plan.at("workspace_bytes").get<std::int64_t>()},
                                .time = {plan.at("time_ns").get<std::int64_t>()},
                                .spread = spreadIn(plan, "spread")};
        if (read.workspace.count >= 0 && read.time.count > 0) {
            plans.best[name] = read;
        }
    }
    return plans;
}

Json asJson(const LinkSheet& link) {
    return {
        {"name", link.name},
        {"latency_ns", link.latency.count},
        {"bytes_per_second", link.bytesPerSecond},
        {"measured", link.isMeasured},
        {"spread", {{"latency", asJson(link.latencySpread)}, {"bytes", asJson(link.bytesSpread)}}}};
}

Json asJson(const MachineSheet& machine) {
    Json devices = Json::array();
    for (const DeviceSheet& sheet : machine.devices) {
        devices.push_back(asJson(sheet));
    }
    Json links = Json::array();
    for (const LinkSheet* link :
         {&machine.withinProcess, &machine.withinHost, &machine.betweenHosts}) {
        links.push_back(asJson(*link));
    }
    return {{"host", machine.host}, {"devices", std::move(devices)}, {"links", std::move(links)}};
}

void readRates(const Json& from, DeviceSheet& sheet) {
    sheet.setDenseRate(from.at("flops_per_second").get<double>());
    sheet.tf32FlopsPerSecond =
        from.value(tf32Rate, sheet.tf32FlopsPerSecond); // absent in older files
    sheet.bf16FlopsPerSecond = from.value(bf16Rate, sheet.bf16FlopsPerSecond);
    sheet.bytesPerSecond = from.at("bytes_per_second").get<double>();
    sheet.overhead = {from.at("overhead_ns").get<std::int64_t>()};
    sheet.efficiency = from.at("efficiency").get<std::map<std::string, double>>();
    sheet.measuredAt = from.value("measured_at", std::int64_t{0});
    if (auto bus = linkIn(from, "bus"); bus && bus->isMeasured) {
        sheet.bus = std::move(bus);
    }
    const Json spreads = from.value("spread", Json::object());
    sheet.streamSpread = spreadIn(spreads, "streaming");
    sheet.overheadSpread = spreadIn(spreads, "overhead");
    const Json ops = spreads.value("ops", Json::object());
    sheet.opSpread.clear();
    for (const auto& [op, spread] : ops.items()) {
        sheet.opSpread[op] = spreadIn(ops, op);
    }
}

void readRates(const Json& from, LinkSheet& link) {
    link.latency = {from.at("latency_ns").get<std::int64_t>()};
    link.bytesPerSecond = from.at("bytes_per_second").get<double>();
    const Json spreads = from.value("spread", Json::object());
    link.latencySpread = spreadIn(spreads, "latency");
    link.bytesSpread = spreadIn(spreads, "bytes");
}

MachineSheet readMachine(std::string_view text, const std::string& file) {
    MachineSheet machine;
    try {
        const Json from = parseJson(text, file);
        machine.host = from.at("host").get<std::string>();
        for (const Json& device : from.at("devices")) {
            machine.devices.push_back(deviceOf(device));
        }
        const Json& links = from.at("links");
        std::size_t next = 0;
        for (LinkSheet* link :
             {&machine.withinProcess, &machine.withinHost, &machine.betweenHosts}) {
            readLink(links.at(next++), *link);
        }
    } catch (const Json::exception&) {
        throw Error(ErrorCode::format, Where{.file = file}, "is not a hardware description",
                    "remove the file: Weft then detects the hardware again");
    }
    return machine;
}

} // namespace weft
