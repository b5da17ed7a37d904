// SPDX-License-Identifier: Apache-2.0
// Builds the whole folder of an export.
#include "base/files/files.h"
#include "base/text/names_of.h"
#include "exchange/quoting.h"
#include "exchange/scripts.h"
#include <weft/design_file.h>
#include <weft/error.h>
#include <weft/output_file.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace weft {

namespace fs = std::filesystem;

namespace {

constexpr std::array targets{ExportTarget::machine, ExportTarget::mpirun, ExportTarget::slurm,
                             ExportTarget::kubernetes};

void check(const ExportRequest& request) {
    if (request.nodes < 1 || request.ranksPerNode < 1 || request.coresPerRank < 1 ||
        request.minutes < 1 || request.gpusPerNode < 0) {
        throw Error(ErrorCode::usage, {}, "nodes, ranks, cores and minutes must be at least 1",
                    "use at least 1 for each");
    }
}

std::string readme(const ExportRequest& request) {
    return fmt::format(
        "# {name}\n\n"
        "This folder runs a Weft design without a window. `design.weft` contains the network, its "
        "data, training settings and assignments.\nEach of these commands trains it, with the same "
        "results.\n\n"
        "| where | command |\n| --- | --- |\n"
        "| this machine, or the hosts in `hostfile` | `./run.sh` |\n"
        "| Slurm | `sbatch job.sbatch` |\n"
        "| Kubernetes, with Kubeflow's MPI operator | `kubectl apply -f mpijob.yaml` |\n\n"
        "`weft` must be on PATH, or set `WEFT=/path/to/weft`. Data files of the design are "
        "searched "
        "in this folder\nand in `WEFT_DATA`{data}. Runs are saved in `runs/`, or in `WEFT_RUNS`; "
        "`WEFT_RUN` sets the folder\nof a single run.\n\n"
        "`weft attach RUN` shows a run, live or ended, and so does the workbench if it opens the "
        "folder of the run.\n`weft resume RUN` resumes a run from its last checkpoint, on any "
        "number of devices.\n\n"
        "A run on Kubernetes can be followed from any machine with `kubectl`:\n\n"
        "    weft host add {name} --via 'kubectl exec -i job/{name}-launcher -- sh -c' --folder "
        "/weft/runs\n"
        "    weft runs --on {name}\n\n"
        "Requested resources: {nodes} nodes, {ranks} ranks per node, {cores} cores per rank, "
        "{gpus}{minutes} minutes.\n"
        "Fingerprint of the design: {fingerprint:016x}\n",
        fmt::arg("name", jobName(request)),
        fmt::arg("data", request.folder.empty() ? std::string()
                                                : ", by default `" + request.folder.string() + "`"),
        fmt::arg("nodes", request.nodes), fmt::arg("ranks", request.ranksPerNode),
        fmt::arg("cores", request.coresPerRank),
        fmt::arg("gpus", gpusOfNode(request) == 0
                             ? std::string()
                             : fmt::format("{} GPUs per node, ", gpusOfNode(request))),
        fmt::arg("minutes", request.minutes), fmt::arg("fingerprint", fingerprint(request.design)));
}

} // namespace

int gpusOfNode(const ExportRequest& request) {
    if (request.gpusPerNode > 0) {
        return request.gpusPerNode;
    }
    const std::vector<std::string> devices =
        request.devices.empty() ? namesOf(request.design.devices) : request.devices;
    const auto ranks = static_cast<std::size_t>(request.ranks());
    // GPUs of each node; several workers on one GPU count once.
    std::map<std::size_t, std::set<std::string>> chips;
    for (std::size_t k = 0; k < devices.size(); ++k) {
        if (devices[k].starts_with("cuda:")) {
            const std::size_t rank = k * ranks / devices.size();
            chips[rank / static_cast<std::size_t>(request.ranksPerNode)].insert(
                devices[k].substr(0, devices[k].find('/')));
        }
    }
    std::size_t most = 0;
    for (const auto& [node, on] : chips) {
        most = std::max(most, on.size());
    }
    return static_cast<int>(most);
}

std::string_view nameOf(ExportTarget target) {
    switch (target) {
    case ExportTarget::machine: return "machine";
    case ExportTarget::mpirun: return "mpirun";
    case ExportTarget::slurm: return "slurm";
    case ExportTarget::kubernetes: return "kubernetes";
    }
    return "machine";
}

ExportTarget exportTargetNamed(std::string_view name) {
    std::string names;
    for (const ExportTarget target : targets) {
        if (nameOf(target) == name) {
            return target;
        }
        names += (names.empty() ? "" : ", ") + std::string(nameOf(target));
    }
    throw Error(ErrorCode::usage, {}, "there is no export format \"" + std::string(name) + "\"",
                "use one of " + names + ", or onnx");
}

ExportedFile exportedScript(const ExportRequest& request, ExportTarget target) {
    check(request);
    switch (target) {
    case ExportTarget::machine: return {"run.sh", machineScript(request), true};
    case ExportTarget::mpirun: return {"run.sh", mpirunScript(request), true};
    case ExportTarget::slurm: return {"job.sbatch", slurmScript(request), true};
    case ExportTarget::kubernetes: return {"mpijob.yaml", kubernetesJob(request), false};
    }
    return {};
}

ExportedFile exportedDesign(const ExportRequest& request) {
    return {"design.weft", toText(request.design), false};
}

ExportedFile exportedHostfile(const ExportRequest& request) {
    return {"hostfile", hostfile(request), false};
}

std::string exportedCommand(const ExportRequest& request, ExportTarget target) {
    std::string run = shellWord(request.program) + " run design.weft" + newRunOptions(request) +
                      runOptions(request);
    switch (target) {
    case ExportTarget::machine: return run;
    case ExportTarget::mpirun:
        return fmt::format("{} --ranks {} --hosts hostfile", run, request.ranks());
    case ExportTarget::slurm: return "sbatch job.sbatch";
    case ExportTarget::kubernetes: return "kubectl apply -f mpijob.yaml";
    }
    return run;
}

std::vector<ExportedFile> exportedFiles(const ExportRequest& request) {
    const ExportTarget here = request.ranks() > 1 ? ExportTarget::mpirun : ExportTarget::machine;
    return {exportedDesign(request),
            exportedScript(request, here),
            exportedHostfile(request),
            exportedScript(request, ExportTarget::slurm),
            exportedScript(request, ExportTarget::kubernetes),
            {"README.md", readme(request), false}};
}

void writeExport(const std::vector<ExportedFile>& files, const fs::path& folder) {
    std::error_code ignored;
    if (fs::exists(folder, ignored) && !fs::is_empty(folder, ignored) &&
        !fs::exists(folder / "design.weft", ignored)) {
        throw Error(ErrorCode::file, Where{.file = folder.string()},
                    "contains files that do not belong to an export",
                    "choose a new or an empty folder");
    }
    makeFolder(folder);
    for (const ExportedFile& file : files) {
        writeOutput(folder / file.name, file.text);
        if (file.isExecutable && fs::is_regular_file(folder / file.name, ignored)) {
            fs::permissions(folder / file.name,
                            fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                            fs::perm_options::add);
        }
    }
}

} // namespace weft
