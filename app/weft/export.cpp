// SPDX-License-Identifier: Apache-2.0
// weft export: a folder from which a design runs elsewhere.
#include "command.h"
#include "designs.h"
#include "say.h"
#include "verb.h"
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
        return fine;
    }
    const std::vector<ExportedFile> files = exportedFiles(request);
    writeExport(files, options.out);
    say("{}: {} files; in it: {}\n", printable(options.out), files.size(),
        target == ExportTarget::machine || target == ExportTarget::mpirun
            ? "./run.sh"
            : exportedCommand(request, target));
    return fine;
}

} // namespace

std::function<int()> addExport(CommandLine& line) {
    Verb verb = line.verb(
        "export", "a folder from which a design runs: here, under mpirun, Slurm, Kubernetes");
    verb.footer("Without --out it prints the one script that --to names. Example:\n"
                "  weft export design.weft --to slurm --nodes 2 --ranks-per-node 4 --out job");
    auto options = std::make_shared<ExportOptions>();
    ExportRequest& request = options->request;
    constexpr int most = 65536;
    verb.option("FILE", options->file, "the design").required();
    verb.option("--to", options->to, "machine, mpirun, slurm or kubernetes");
    verb.option("--out", options->out, "the folder: new, empty, or an earlier export");
    verb.option("--name", request.name, "of the job; by default the design's");
    verb.option("--nodes", request.nodes, "machines").showsDefault().between(1, most);
    verb.option("--ranks-per-node", request.ranksPerNode, "processes on each")
        .showsDefault()
        .between(1, 4096);
    verb.option("--cores", request.coresPerRank, "cores of each process")
        .showsDefault()
        .between(1, most);
    verb.option("--gpus-per-node", request.gpusPerNode,
                "GPUs of each machine; by default those that its devices are on")
        .between(1, most);
    addDeviceList(verb, request.devices, "devices to run on: cuda:0,cuda:1");
    verb.option("--minutes", request.minutes, "limit of the job").showsDefault().positive();
    verb.option("--partition", request.partition, "of Slurm");
    verb.option("--account", request.account, "of Slurm");
    verb.option("--program", request.program, "how weft is called there").showsDefault();
    verb.option("--image", request.image, "of the containers").showsDefault();
    verb.option("--claim", request.claim, "volume claim that keeps the runs").showsDefault();
    verb.option("--host", request.hosts, "a machine of mpirun's hostfile; again for more");
    verb.option("--set", request.settings, "a setting for the run: KEY=VALUE");
    return [options] { return run(*options); };
}

} // namespace weft
