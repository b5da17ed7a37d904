// SPDX-License-Identifier: Apache-2.0
// Lists what a run on a host needs, and which of it is available.
#include "base/text/names_of.h"
#include "base/text/text.h"
#include "base/version.h"
#include "remote/agent/nodes_answer.h"
#include <weft/hosts.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>

namespace weft {

namespace {

Feature thereIs(std::string name, std::string detail) {
    return {.name = std::move(name), .isFound = true, .detail = std::move(detail), .remedy = {}};
}

Feature lacks(std::string name, std::string detail, std::string remedy) {
    return {std::move(name), false, std::move(detail), std::move(remedy)};
}

std::string spanText(Nanoseconds span) {
    return durationText(static_cast<double>(std::abs(span.count)) * 1e-9);
}

Feature lineFinding(const HostReport& report) {
    return thereIs("line", "answers in " + spanText(report.roundTrip));
}

Feature weftFinding(const Host& host, const HostReport& report) {
    const std::string here(weftVersion());
    if (report.version == here) {
        return thereIs("Weft", here);
    }
    return lacks("Weft", fmt::format("{} on the host, {} on this machine", report.version, here),
                 fmt::format("install the same version: weft host install {}; or do without "
                             "features that the older version lacks",
                             host.name));
}

/// Returns "cpu:0 AMD EPYC 9554, 16 cores"; several devices of one model share an entry.
std::string devicesText(const std::vector<DeviceSheet>& devices) {
    std::map<std::string, std::vector<std::string>> byModel;
    for (const DeviceSheet& sheet : devices) {
        byModel[sheet.model].push_back(sheet.name);
    }
    std::vector<std::string> texts;
    texts.reserve(byModel.size());
    for (const auto& [model, names] : byModel) {
        texts.push_back(fmt::format("{} {}", fmt::join(names, ", "), model));
    }
    return elided(fmt::format("{}", fmt::join(texts, "; ")), 200);
}

Feature machineFinding(const HostReport& report) {
    return thereIs("machine", fmt::format("{}: {} cores, {}", report.machine.machine.host,
                                          report.machine.cores, toString(report.machine.memory)));
}

Feature devicesFinding(const HostReport& report) {
    const std::vector<DeviceSheet>& devices = report.machine.machine.devices;
    if (devices.empty()) {
        return lacks("devices", "none", "run weft devices on the host");
    }
    const bool areMeasured = std::ranges::all_of(devices, &DeviceSheet::isMeasured);
    return thereIs("devices",
                   devicesText(devices) +
                       (areMeasured ? "" : "; rates are assumed: run weft calibrate on the host"));
}

/// Returns "gpu (default): 4 of 8 nodes idle, 64 cores, 512 GB, gpu:h100:4, 1-00:00:00 at most".
std::string partitionText(const SlurmPartition& one) {
    std::string text = fmt::format("{}{}: {} of {} nodes idle, {} cores, {}", one.name,
                                   one.isDefault ? " (default)" : "", one.idle, one.nodes,
                                   one.cores, toString(one.memory));
    text += one.extras.empty() ? "" : ", " + one.extras;
    text += one.limit.empty() || one.limit == "infinite" ? "" : ", " + one.limit + " at most";
    return text + (one.isUp ? "" : ", accepts no jobs now");
}

/// Adds the partition whose nodes a job would get; for mixed partitions, each kind of node.
void addPartitions(std::vector<Feature>& findings, const Host& host, const HostReport& report) {
    const std::size_t before = findings.size();
    const SlurmPartition* const meant = partitionOfJobs(host.partition, report.partitions);
    for (const SlurmPartition& one : report.partitions) {
        if (meant != nullptr && one.name == meant->name) {
            findings.push_back(
                one.isUp ? thereIs("Slurm", partitionText(one))
                         : lacks("Slurm", partitionText(one), "wait, or choose another partition"));
        }
    }
    if (findings.size() == before) {
        findings.push_back(lacks(
            "Slurm",
            host.partition.empty() ? "no partition is the default"
                                   : "there is no partition " + host.partition,
            fmt::format("weft host add {} --partition, with one of {}", host.name,
                        elided(fmt::format("{}", fmt::join(namesOf(report.partitions), ", "))))));
    }
}

std::string dayText(std::int64_t seconds) {
    const std::chrono::sys_seconds time{std::chrono::seconds(seconds)};
    const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(time)};
    return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()),
                       static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
}

/// Returns the report on the partition that jobs go to.
const NodesReport* nodesOfJobs(const Host& host, const HostReport& report) {
    const SlurmPartition* const meant = partitionOfJobs(host.partition, report.partitions);
    const bool isOfIt = meant != nullptr && report.nodes && report.nodes->partition == meant->name;
    return isOfIt ? &*report.nodes : nullptr;
}

/// Returns "of gpu, queried on 2026-11-26: 64 cores, 512 GB; cuda:0, cuda:1 NVIDIA H100".
Feature nodesFinding(const Host& host, const SlurmPartition& of, const HostReport& report) {
    const std::string remedy = "weft host check " + host.name + " --nodes";
    const NodesReport* const nodes = nodesOfJobs(host, report);
    if (nodes == nullptr) {
        return lacks("nodes", "the nodes of " + of.name + " were not queried", remedy);
    }
    if (!nodes->fault.empty()) {
        return lacks(
            "nodes",
            fmt::format("the answer of a node of {} is invalid: {}", of.name, nodes->fault),
            remedy);
    }
    const MachineReport& machine = nodes->machine;
    return thereIs("nodes",
                   fmt::format("of {}, queried on {}: {} cores, {}; {}", of.name,
                               dayText(nodes->asked), machine.cores, toString(machine.memory),
                               devicesText(machine.machine.devices)));
}

/// Adds nothing for a host without Slurm whose jobs use no queue.
void addSlurm(std::vector<Feature>& findings, const Host& host, const HostReport& report) {
    const bool isWanted = host.start == JobStart::slurm;
    if (!report.hasSlurm && isWanted) {
        findings.push_back(
            lacks("Slurm", "sinfo was not found",
                  "connect to a host that has it, or start jobs without a queue: weft host add " +
                      host.name + " --start here"));
    } else if (!report.slurmFault.empty()) {
        findings.push_back(
            lacks("Slurm", report.slurmFault, "run sinfo on the host, or ask its administrators"));
    } else if (isWanted) {
        addPartitions(findings, host, report);
        if (const SlurmPartition* of = partitionOfJobs(host.partition, report.partitions)) {
            findings.push_back(nodesFinding(host, *of, report));
        }
    } else if (report.hasSlurm) {
        findings.push_back(thereIs("Slurm", "to submit jobs to its queue: weft host add " +
                                                host.name + " --start slurm"));
    }
}

Feature folderFinding(const Host& host, const HostReport& report) {
    constexpr std::int64_t few = 1'000'000'000;
    if (report.free.count < 0) {
        return lacks("folder", report.folder + " cannot be read",
                     "set another folder: weft host add " + host.name + " --folder FOLDER");
    }
    const std::string text = report.folder + ", " + toString(report.free) + " free";
    return report.free.count >= few
               ? thereIs("folder", text)
               : lacks("folder", text,
                       "free space there, or name a folder on another disk: weft host add " +
                           host.name + " --folder FOLDER");
}

Feature clockFinding(const HostReport& report) {
    const std::int64_t ahead = report.clockAhead.count;
    const std::string error = ", give or take " + spanText(report.clockError);
    if (std::abs(ahead) <= report.clockError.count) {
        return thereIs("clock", "as here" + error);
    }
    constexpr std::int64_t much = 1'000'000'000;
    const std::string text = fmt::format("{} {} the clock of this machine{}", spanText({ahead}),
                                         ahead > 0 ? "ahead of" : "behind", error);
    return std::abs(ahead) - report.clockError.count < much
               ? thereIs("clock", text)
               : lacks("clock", text,
                       "synchronise the host's clock: timedatectl set-ntp true; its runs show the "
                       "times of its own clock");
}

Feature jobsFinding(const Host& host, const HostReport& report) {
    if (host.start == JobStart::slurm) {
        return thereIs("jobs", fmt::format("by sbatch{}{}, {} min at most",
                                           host.partition.empty() ? "" : ", partition ",
                                           host.partition, host.minutes) +
                                   (host.account.empty() ? "" : ", account " + host.account));
    }
    if (host.start == JobStart::here) {
        return thereIs("jobs", "as processes of the host, several ranks of it by mpirun");
    }
    const auto mpi = std::ranges::find(report.machine.features, "MPI", &Feature::name);
    if (mpi == report.machine.features.end() || !mpi->isFound) {
        return lacks("jobs", "by mpirun, and MPI is not found",
                     mpi == report.machine.features.end() ? "install MPI on the host"
                                                          : mpi->remedy);
    }
    return thereIs("jobs", fmt::format("by mpirun on {}", fmt::join(host.machines, ", ")));
}

/// Adds the GPUs of a node from Slurm's text "gpu:h100:4(S:0-1),lustre:1", if a data sheet exists
/// for their model.
void addChips(MachineSheet& node, std::string_view extras) {
    const std::vector<DeviceSheet> published = dataSheets();
    std::istringstream all{std::string(extras)};
    for (std::string one; std::getline(all, one, ',');) {
        std::istringstream parts(one.substr(0, one.find('(')));
        std::string sort;
        std::string model;
        int count = 0;
        if (!std::getline(parts, sort, ':') || sort != "gpu" || !std::getline(parts, model, ':') ||
            !(parts >> count)) {
            continue;
        }
        const auto sheet = std::ranges::find(published, model, &DeviceSheet::name);
        for (int k = 0; sheet != published.end() && k < std::min(count, 64); ++k) {
            DeviceSheet chip = *sheet;
            chip.name = chip.backend + ":" + std::to_string(k);
            node.devices.push_back(std::move(chip));
        }
    }
}

/// Marks all devices as not present, so that what this build and machine lack does not count for
/// another host.
MachineSheet elsewhere(MachineSheet machine) {
    for (DeviceSheet& sheet : machine.devices) {
        sheet.isPresent = false;
    }
    return machine;
}

} // namespace

bool isByPublishedRates(const Host& host, const HostReport& report) {
    const NodesReport* const nodes = nodesOfJobs(host, report);
    const bool isQueue = host.start == JobStart::slurm &&
                         partitionOfJobs(host.partition, report.partitions) != nullptr;
    return isQueue && (nodes == nullptr || !nodes->fault.empty());
}

MachineSheet machineOfJobs(const Host& host, const HostReport& report) {
    const SlurmPartition* const partition = partitionOfJobs(host.partition, report.partitions);
    if (host.start != JobStart::slurm || partition == nullptr) {
        return elsewhere(report.machine.machine);
    }
    if (!isByPublishedRates(host, report)) {
        MachineSheet node = nodesOfJobs(host, report)->machine.machine;
        node.host = partition->name;
        return elsewhere(std::move(node));
    }
    MachineSheet node{.host = partition->name, .devices = {}};
    DeviceSheet cores;
    cores.name = "cpu:0";
    cores.backend = "cpu";
    cores.model = "a node of " + partition->name;
    cores.cores = std::max<std::int64_t>(partition->cores, 1);
    cores.memory = partition->memory;
    node.devices.push_back(std::move(cores));
    addChips(node, partition->extras);
    return elsewhere(std::move(node));
}

std::vector<Feature> hostFindings(const Host& host, const HostReport& report) {
    std::vector<Feature> findings{lineFinding(report), weftFinding(host, report),
                                  machineFinding(report), devicesFinding(report)};
    findings.insert(findings.end(), report.machine.features.begin(), report.machine.features.end());
    addSlurm(findings, host, report);
    findings.push_back(folderFinding(host, report));
    findings.push_back(clockFinding(report));
    findings.push_back(jobsFinding(host, report));
    return findings;
}

std::string print(const Host& host, const HostReport& report) {
    TextTable table({{""}, {""}, {""}});
    for (const Feature& one : hostFindings(host, report)) {
        table.addRow({one.name, one.isFound ? "" : "lacks",
                      one.remedy.empty() ? one.detail : one.detail + ": " + one.remedy});
    }
    return fmt::format("{}: {}\n{}", host.name, host.via, table.text());
}

} // namespace weft
