// SPDX-License-Identifier: Apache-2.0
// weft export: writes a folder from which a design runs elsewhere.
#include "command_line/command.h"
#include "command_line/say.h"
#include "command_line/verb.h"
#include "designs/designs.h"
#include <weft/error.h>
#include <weft/exchange.h>

#include <memory>

namespace weft {

namespace {

struct ExportOptions {
    std::string file;
    std::string to;
    std::string out;
    ExportRequest request;
};

int run(const ExportOptions& options) {
    ExportRequest request = options.request;
    const std::filesystem::path file = options.file;
    request.design = readDesign(file, {.settings = request.settings, .devices = request.devices});
    request.folder = std::filesystem::absolute(file).parent_path();
    if (request.name.empty()) {
        request.name = request.design.name.empty() ? file.stem().string() : request.design.name;
    }
    for (const std::string& remark : exportRemarks(request)) {
        warn("{}", remark);
    }
    const ExportTarget target =
        options.to.empty() ? request.ranks() > 1 ? ExportTarget::mpirun : ExportTarget::machine
                           : exportTargetNamed(options.to);
    if (options.out.empty()) {
        say("{}", exportedScript(request, target).text);
        return success;
    }
    const std::vector<ExportedFile> files = exportedFiles(request);
    writeExport(files, options.out);
    say("{}: {} files; start it there with: {}\n", printable(options.out), files.size(),
        target == ExportTarget::machine || target == ExportTarget::mpirun
            ? "./run.sh"
            : exportedCommand(request, target));
    return success;
}

} // namespace

std::function<int()> addExport(CommandLine& line) {
    Verb verb = line.verb(
        "export", "export a design as a folder that runs under mpirun, Slurm or Kubernetes");
    verb.footer("Without --out it prints the one script that --to names. Example:\n"
                "  weft export design.weft --to slurm --nodes 2 --ranks-per-node 4 --out job");
    auto options = std::make_shared<ExportOptions>();
    ExportRequest& request = options->request;
    constexpr int most = 65536;
    verb.option("FILE", options->file, "the design").required();
    verb.option("--to", options->to, "machine, mpirun, slurm or kubernetes");
    verb.option("--out", options->out, "output folder: new, empty, or an earlier export");
    verb.option("--name", request.name, "job name; default: the design's name");
    verb.option("--nodes", request.nodes, "number of machines").showsDefault().between(1, most);
    verb.option("--ranks-per-node", request.ranksPerNode, "processes per machine")
        .showsDefault()
        .between(1, 4096);
    verb.option("--cores", request.coresPerRank, "cores per process")
        .showsDefault()
        .between(1, most);
    verb.option("--gpus-per-node", request.gpusPerNode,
                "GPUs per machine; default: as many as the devices need")
        .between(1, most);
    addDeviceList(verb, request.devices, "devices to run on: cuda:0,cuda:1");
    verb.option("--minutes", request.minutes, "time limit of the job in minutes")
        .showsDefault()
        .positive();
    verb.option("--partition", request.partition, "value of sbatch's option of this name");
    verb.option("--account", request.account, "value of sbatch's option of this name");
    verb.option("--program", request.program, "path of weft on the target machine").showsDefault();
    verb.option("--image", request.image, "container image").showsDefault();
    verb.option("--claim", request.claim, "Kubernetes persistent volume claim that stores the runs")
        .showsDefault();
    verb.option("--host", request.hosts, "host for mpirun's hostfile; repeatable");
    verb.option("--set", request.settings, "override a setting: KEY=VALUE");
    return [options] { return run(*options); };
}

} // namespace weft
