// SPDX-License-Identifier: Apache-2.0
#include "remote/agent/host_survey.h"

#include "base/process/environment.h"
#include "base/text/lenient_json.h"
#include "base/text/text.h"
#include "base/version.h"
#include "device/sheet_json.h"
#include "remote/agent/nodes_answer.h"
#include "remote/query_program.h"
#include <weft/error.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <iterator>
#include <sstream>
#include <system_error>
#include <utility>

namespace weft {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t mostListed = 256; ///< features, partitions
constexpr std::chrono::seconds slurmLimit{5};
constexpr std::int64_t megabyte = std::int64_t{1} << 20U; ///< as Slurm counts memory

std::vector<std::string> partsOf(std::string_view text, char border) {
    std::vector<std::string> parts;
    std::istringstream from{std::string(text)};
    for (std::string part; std::getline(from, part, border);) {
        parts.push_back(std::move(part));
    }
    return parts;
}

/// Returns the number at the begin of the text: "16+" means at least 16; 0 if there is none in
/// range.
std::int64_t numberAtBegin(std::string_view text) {
    constexpr std::int64_t most = std::int64_t{1} << 40U;
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return std::clamp<std::int64_t>(number, 0, most);
}

std::string shownText(std::string_view text) { return elided(printable(text), 200); }

Json partitionAsJson(const SlurmPartition& one) {
    return {{"name", one.name},     {"default", one.isDefault},
            {"up", one.isUp},       {"nodes", one.nodes},
            {"idle", one.idle},     {"cores", one.cores},
            {"extras", one.extras}, {"memory_bytes", one.memory.count},
            {"limit", one.limit}};
}

SlurmPartition partitionFrom(const Json& from) {
    const auto count = [&](const char* key) {
        return std::max<std::int64_t>(numberAt(from, key, 0), 0);
    };
    return {.name = shownText(textAt(from, "name")),
            .isDefault = flagAt(from, "default", false),
            .isUp = flagAt(from, "up", true),
            .nodes = count("nodes"),
            .idle = count("idle"),
            .cores = count("cores"),
            .memory = {count("memory_bytes")},
            .extras = shownText(textAt(from, "extras")),
            .limit = shownText(textAt(from, "limit"))};
}

/// Returns null if there is no Slurm here.
Json slurmSurvey(const fs::path& runs, std::string_view partition) {
    if (programInPath("sinfo").empty()) {
        return nullptr;
    }
    const ProgramAnswer answer =
        answerOf({.words = {"sinfo", "--noheader", "-o", std::string(partitionFormat)},
                  .limit = slurmLimit});
    Json survey = Json::object();
    if (answer.isLate) {
        survey["fault"] = "sinfo did not answer within 5 s";
    } else if (!answer.isFine()) {
        survey["fault"] = answer.complaint();
    } else {
        Json& partitions = survey["partitions"] = Json::array();
        const std::vector<SlurmPartition> all = partitionsIn(answer.said);
        std::ranges::transform(all, std::back_inserter(partitions), partitionAsJson);
        if (const SlurmPartition* const meant = partitionOfJobs(partition, all)) {
            survey["nodes"] = nodesSurvey(runs, meant->name);
        }
    }
    return survey;
}

/// Returns the free bytes on the disk of the folder, which need not exist yet; -1: unknown.
std::int64_t freeBytesAt(fs::path folder) {
    std::error_code error;
    while (!fs::exists(folder, error) && folder.has_relative_path()) {
        folder = folder.parent_path();
    }
    const fs::space_info space = fs::space(folder, error);
    return error ? -1 : static_cast<std::int64_t>(space.available);
}

bool isPossible(const LinkSheet& link) {
    return link.latency.count >= 0 && link.bytesPerSecond > 0;
}

/// True if the sheet's values are possible, so that it can be used for plans.
bool isPossible(const DeviceSheet& sheet) {
    constexpr std::int64_t mostCores = std::int64_t{1} << 20U;
    const auto isRight = [](const auto& one) { return one.second >= 0; };
    return sheet.cores >= 1 && sheet.cores <= mostCores && sheet.memory.count >= 0 &&
           sheet.flopsPerSecond >= 0 && sheet.tf32FlopsPerSecond >= 0 &&
           sheet.bf16FlopsPerSecond >= 0 && sheet.bytesPerSecond >= 0 &&
           sheet.overhead.count >= 0 && sheet.threads >= 0 &&
           std::ranges::all_of(sheet.efficiency, isRight) &&
           (!sheet.bus || isPossible(*sheet.bus)) && (!sheet.peer || isPossible(*sheet.peer));
}

bool isPossible(const MachineSheet& machine) {
    return std::ranges::all_of(machine.devices,
                               [](const DeviceSheet& sheet) { return isPossible(sheet); }) &&
           isPossible(machine.withinProcess) && isPossible(machine.withinHost) &&
           isPossible(machine.betweenHosts);
}

MachineSheet machineSheetFrom(const Json& from) {
    MachineSheet machine;
    try {
        machine = readMachine(jsonText(from), "a host's survey");
    } catch (const Error&) {
        throw Error(ErrorCode::format, Where{.file = "a host's survey"},
                    "is not a hardware description",
                    "use the same version of Weft on both machines: weft host install");
    }
    if (!isPossible(machine)) {
        throw Error(ErrorCode::format, Where{.file = "a host's survey"},
                    "contains an impossible value for a device",
                    "run weft devices on the host, and remove its file of measured rates");
    }
    machine.host = shownText(machine.host);
    for (DeviceSheet& sheet : machine.devices) {
        sheet.name = shownText(sheet.name);
        sheet.model = shownText(sheet.model);
    }
    return machine;
}

/// Reads the machine report that programs can also print, which is what the connection transfers.
MachineReport machineReportFrom(const Json& from) {
    MachineReport report{.machine = machineSheetFrom(from),
                         .cores = std::max<std::int64_t>(numberAt(from, "cores", 1), 1),
                         .memory = {std::max<std::int64_t>(numberAt(from, "memory_bytes", 0), 0)},
                         .features = {},
                         .ratesFile = shownText(textAt(from, "rates_file"))};
    const auto features = from.find("features");
    for (const Json& one : features != from.end() ? *features : Json::array()) {
        if (report.features.size() < mostListed) {
            report.features.push_back({.name = shownText(textAt(one, "name")),
                                       .isFound = flagAt(one, "found", false),
                                       .detail = shownText(textAt(one, "detail")),
                                       .remedy = shownText(textAt(one, "remedy"))});
        }
    }
    return report;
}

/// Reads without trust the report of a job on a node. An invalid report does not affect the rest of
/// the survey.
NodesReport nodesReportFrom(const Json& from) {
    constexpr std::int64_t lastYear = 253'402'300'799; // 9999
    NodesReport report{.partition = shownText(textAt(from, "partition")),
                       .asked = std::clamp<std::int64_t>(numberAt(from, "asked", 0), 0, lastYear),
                       .fault = shownText(textAt(from, "fault"))};
    if (!report.fault.empty()) {
        return report;
    }
    try {
        const auto machine = from.find("machine");
        report.machine = machineReportFrom(machine != from.end() ? *machine : Json());
    } catch (const Error& error) {
        report.fault = shownText(error.what());
    }
    return report;
}

} // namespace

std::vector<SlurmPartition> partitionsIn(std::string_view answer) {
    std::vector<SlurmPartition> partitions;
    for (const std::string& line : partsOf(answer, '\n')) {
        const std::vector<std::string> words = partsOf(line, '|');
        // Nodes: allocated/idle/other/all.
        const std::vector<std::string> nodes =
            words.size() == 7 ? partsOf(words[2], '/') : std::vector<std::string>();
        if (nodes.size() != 4 || partitions.size() == mostListed) {
            continue;
        }
        const bool isDefault = words[0].ends_with('*');
        partitions.push_back({.name = words[0].substr(0, words[0].size() - (isDefault ? 1 : 0)),
                              .isDefault = isDefault,
                              .isUp = words[1] == "up",
                              .nodes = numberAtBegin(nodes[3]),
                              .idle = numberAtBegin(nodes[1]),
                              .cores = numberAtBegin(words[3]),
                              .memory = {numberAtBegin(words[4]) * megabyte},
                              .extras = words[5] == "(null)" ? std::string() : words[5],
                              .limit = words[6]});
    }
    return partitions;
}

Json hostSurvey(const fs::path& runs, std::string_view partition) {
    std::error_code error;
    const fs::path folder = fs::absolute(runs, error);
    return {{"weft", weftVersion()},
            {"machine", parseJson(jsonOf(surveyMachine()), "this machine")},
            {"slurm", slurmSurvey(folder, partition)},
            {"folder", folder.string()},
            {"free_bytes", freeBytesAt(folder)}};
}

HostReport hostReportFrom(const Json& survey) {
    const auto machine = survey.find("machine");
    HostReport report{.version = shownText(textAt(survey, "weft"))};
    report.machine = machineReportFrom(machine != survey.end() ? *machine : Json());
    if (const auto slurm = survey.find("slurm"); slurm != survey.end() && slurm->is_object()) {
        report.hasSlurm = true;
        report.slurmFault = shownText(textAt(*slurm, "fault"));
        const auto partitions = slurm->find("partitions");
        for (const Json& one : partitions != slurm->end() ? *partitions : Json::array()) {
            if (report.partitions.size() < mostListed) {
                report.partitions.push_back(partitionFrom(one));
            }
        }
        const auto nodes = slurm->find("nodes");
        if (nodes != slurm->end() && nodes->is_object()) {
            report.nodes = nodesReportFrom(*nodes);
        }
    }
    report.folder = shownText(textAt(survey, "folder"));
    report.free = {numberAt(survey, "free_bytes", -1)};
    return report;
}

} // namespace weft
