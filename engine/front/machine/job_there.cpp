// SPDX-License-Identifier: Apache-2.0
#include "base/text/names_of.h"
#include "base/text/text.h"
#include "compile/spread.h"
#include "device/backend.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>
#include <weft/error.h>
#include <weft/job_there.h>
#include <weft/remote.h>
#include <weft/runs.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <system_error>

namespace weft {

namespace fs = std::filesystem;

namespace {

/// Returns the number of machines over which ranks are spread: `wanted`, or if that is 0 all
/// machines of the host's settings.
int nodesFor(const Host& host, int wanted, int ranks) {
    const auto machines = static_cast<int>(host.machines.size());
    const int nodes = wanted > 0 ? wanted : std::clamp(machines, 1, ranks);
    if (ranks % nodes != 0) {
        throw Error(ErrorCode::usage, {},
                    fmt::format("{} ranks do not spread evenly over {} nodes", ranks, nodes),
                    "use a number of ranks that the nodes divide (--ranks, --nodes)");
    }
    if (host.start != JobStart::slurm && nodes > std::max(1, machines)) {
        throw Error(ErrorCode::usage, {},
                    fmt::format("{} nodes are requested, but {} has {}", nodes, host.name,
                                std::max(1, machines)),
                    "add machines: weft host add " + host.name + " --start mpirun --machines a,b");
    }
    return nodes;
}

constexpr const char* weightsName = "weights-to-begin-with.safetensors";

/// True if the machine has the device. GPUs are compared by name; CPU workers are always possible.
bool isThere(const MachineSheet& machine, const std::string& device) {
    return std::ranges::any_of(machine.devices, [&](const DeviceSheet& sheet) {
        return sheet.name == chipOf(device) || (sheet.backend == backendOf(device) && !sheet.bus);
    });
}

std::vector<DataFile> filesToSend(const RemoteJobRequest& request) {
    std::vector<DataFile> files;
    if (request.job.folder.empty()) {
        files = dataFilesOf(request.job.design, request.folders);
    }
    if (!files.empty() && !request.sendsData) {
        Bytes bytes{};
        std::ranges::for_each(files, [&](const DataFile& file) { bytes += file.bytes; });
        throw Error(
            ErrorCode::usage, Where{.file = files.front().path.string()},
            fmt::format("the data is on this machine: {} of {}",
                        files.size() == 1 ? "a file" : countText(std::ssize(files)) + " files",
                        toString(bytes)),
            "name its folder on the host (--data-there FOLDER), or send it (--send-data)");
    }
    if (!request.weights.empty()) {
        std::error_code error;
        const auto size = fs::file_size(request.weights, error);
        if (error) {
            throw Error(ErrorCode::file, Where{.file = request.weights.string()},
                        "cannot be read: " + error.message(), "name an existing file of weights");
        }
        files.push_back({weightsName, request.weights, {static_cast<std::int64_t>(size)}});
    }
    return files;
}

} // namespace

ExportRequest jobOn(const Host& host, Design design, const JobRequest& request) {
    if (!request.data.empty() && !request.data.is_absolute()) {
        throw Error(ErrorCode::usage, Where{.file = request.data.string()},
                    "is not an absolute path",
                    "name the folder on the host by its absolute path: --data-there /data/mnist");
    }
    ExportRequest job;
    job.name = design.name;
    job.design = std::move(design);
    job.folder = request.data;
    job.devices = request.devices;
    job.coresPerRank = std::max(1, request.cores);
    job.minutes = request.minutes > 0 ? request.minutes : host.minutes;
    job.partition = host.partition;
    job.account = host.account;
    job.program = host.program;
    const int ranks = std::max(1, request.ranks);
    job.nodes = nodesFor(host, request.nodes, ranks);
    job.ranksPerNode = ranks / job.nodes;
    job.hosts.assign(host.machines.begin(),
                     host.machines.begin() +
                         std::min<std::ptrdiff_t>(job.nodes, std::ssize(host.machines)));
    return job;
}

ExportRequest resumedJob(const Host& host, const fs::path& copy, const JobRequest& request) {
    const Run run = openRun(copy);
    JobRequest asBefore = request;
    if (request.devices.empty()) {
        asBefore.devices = beginOf(copy).devices;
    }
    if (request.ranks == 0 && !run.attempts.empty()) {
        asBefore.ranks = run.attempts.back().ranks;
        asBefore.nodes = run.attempts.back().hosts;
    }
    return jobOn(host, parseDesign(run.design, catalogue()).design, asBefore);
}

std::vector<ExportedFile> jobFiles(const ExportRequest& job, JobStart start) {
    if (start == JobStart::slurm) {
        return {exportedDesign(job), exportedScript(job, ExportTarget::slurm)};
    }
    const bool isOne = start == JobStart::here && job.ranks() == 1;
    std::vector<ExportedFile> files{exportedDesign(job)};
    files.push_back(exportedScript(job, isOne ? ExportTarget::machine : ExportTarget::mpirun));
    if (!isOne) {
        files.push_back(exportedHostfile(job));
    }
    return files;
}

Bytes RemoteJob::bytesSent() const {
    Bytes bytes{};
    for (const DataFile& file : sent) {
        bytes += file.bytes;
    }
    return bytes;
}

void setTarget(RemoteJobRequest& request, const Host& host, const HostReport& report) {
    request.start = host.start;
    request.machine = machineOfJobs(host, report);
    request.isByPublishedRates = isByPublishedRates(host, report);
    request.host = host.name;
}

PreviewRequest previewThere(const RemoteJobRequest& request) {
    PreviewRequest wanted{.devices = request.job.devices,
                          .machine = request.machine,
                          .ranks = request.job.ranks(),
                          .hosts = request.job.nodes,
                          .wantsLegal = false,
                          .until = PreviewPart::run};
    // Only local data can be checked; a job folder is on the other host.
    if (request.job.folder.empty() && !request.folders.empty()) {
        wanted.data =
            PreviewData{.folder = request.folders.front(),
                        .others = {std::next(request.folders.begin()), request.folders.end()}};
    }
    return wanted;
}

void requireDevicesThere(const RemoteJobRequest& request) {
    const auto ranks = static_cast<std::size_t>(request.job.ranks());
    if (const auto devices = devicesOf(request.job.design, request.job.devices).size();
        ranks > devices) {
        throw Error(ErrorCode::usage, Where{.host = request.host},
                    fmt::format("{} ranks for {} devices", ranks, devices),
                    "use fewer ranks: each needs at least one device");
    }
    // With Slurm or several nodes, the job script checks each node before the run begins.
    std::vector<std::string> missing;
    if (request.job.nodes == 1 && request.start != JobStart::slurm) {
        missing = devicesOf(request.job.design, request.job.devices);
        std::erase_if(missing,
                      [&](const std::string& each) { return isThere(request.machine, each); });
    }
    if (!missing.empty()) {
        throw Error(ErrorCode::device, Where{.host = request.host},
                    fmt::format("has no {}", fmt::join(missing, ", ")),
                    fmt::format("choose devices that the host has (--devices): {}",
                                fmt::join(namesOf(request.machine.devices), ", ")));
    }
}

std::vector<std::string> remarksThere(const RemoteJobRequest& request, const Preview& planned) {
    std::vector<std::string> remarks;
    if (request.isByPublishedRates) {
        remarks.push_back(fmt::format("Planned with published rates: the nodes of {} were not "
                                      "queried (weft host check {} --nodes).",
                                      request.machine.host, request.host));
    }
    const std::vector<std::string> devices = devicesOf(request.job.design, request.job.devices);
    const auto ranks = static_cast<std::size_t>(request.job.ranks());
    if (devices.size() % ranks != 0) {
        remarks.push_back(fmt::format("{} devices over {} ranks: some ranks get more than others.",
                                      devices.size(), ranks));
    }
    for (const DevicePreview& device : planned.devices) {
        if (device.overflows()) {
            remarks.push_back(fmt::format("{} on {} has {}, but the run needs {}.", device.name,
                                          request.host, toString(device.available),
                                          toString(device.run->together)));
        }
    }
    return remarks;
}

RemoteJob jobThere(const RemoteJobRequest& request) {
    requireDevicesThere(request);
    RemoteJob made;
    PreviewCache cache;
    made.preview = preview(request.job.design, cache, previewThere(request));
    refuseErrors(made.preview->problems);
    made.sent = filesToSend(request);
    ExportRequest job = request.job;
    job.weights = request.weights.empty() ? "" : weightsName;
    made.files = jobFiles(job, request.start);
    made.remarks = remarksThere(request, *made.preview);
    return made;
}

std::string startThere(HostLine& line, RemoteJobRequest request, const RemoteJobCallbacks& heard) {
    if (request.host.empty()) {
        setTarget(request, line.host(), line.survey());
    }
    const RemoteJob job = jobThere(request);
    if (!request.job.folder.empty()) {
        line.checkData(toText(request.job.design), request.job.folder.string());
    }
    if (heard.planned) {
        heard.planned(job);
    }
    return line.start(newRunName(request.job.name), job, heard.progress);
}

} // namespace weft
