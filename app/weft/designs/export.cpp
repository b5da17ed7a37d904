// SPDX-License-Identifier: Apache-2.0
// weft export: writes a folder from which a design runs elsewhere, or an ONNX model.
#include "command_line/command.h"
#include "command_line/say.h"
#include "command_line/verb.h"
#include "designs/designs.h"
#include "runs/run_place.h"
#include <weft/error.h>
#include <weft/exchange.h>
#include <weft/onnx_export.h>
#include <weft/output_file.h>

#include <memory>

namespace weft {

namespace {

constexpr const char* onnxTarget = "onnx";

struct ExportOptions {
    std::string file;
    std::string to;
    std::string out;
    std::string weights;    ///< for an ONNX model: a run, or a file of weights
    std::int64_t opset = 0; ///< for an ONNX model; 0: the default
    ExportRequest request;
};

/// Returns the folder of a run with its newest checkpoint, or the path of a file.
std::filesystem::path fetched(const std::string& word) {
    RunPlace run(word);
    run.updateCopy();
    run.fetchNewestCheckpoint();
    return run.folder();
}

int refuse(const std::string& file, const std::vector<OnnxRefusal>& refusals) {
    warn("{}: {} of its layers cannot be exported, so that nothing is written", printable(file),
         refusals.size());
    for (const OnnxRefusal& refusal : refusals) {
        printError(toString(refusal));
    }
    return designError;
}

int exportModel(const ExportOptions& options) {
    if (options.out.empty()) {
        throw Error(ErrorCode::usage, {}, "an ONNX model is written to a file",
                    "name the file with --out MODEL.onnx");
    }
    const DesignPlace place = designAt(fetched(options.file));
    OnnxExportRequest request{.design =
                                  readDesign(place.file, {.settings = options.request.settings,
                                                          .devices = options.request.devices,
                                                          .isForTraining = false,
                                                          .until = PreviewPart::shapes})};
    if (!options.weights.empty()) {
        const DesignPlace weights = designAt(fetched(options.weights));
        request.weights = weights.run.empty() ? weights.file : checkpointOf(weights.run);
    } else if (!place.run.empty()) {
        request.weights = checkpointOf(place.run);
    }
    if (options.opset != 0) {
        request.opset = options.opset;
    }
    OnnxExport made;
    namingFile(place.file, [&] { made = exportOnnx(request); });
    if (!made.refusals.empty()) {
        return refuse(options.file, made.refusals);
    }
    writeOutput(options.out, made.model);
    for (const std::string& remark : made.remarks) {
        warn("{}", printable(remark));
    }
    warn("{}: opset {}, {} nodes and {} tensors of weights", printable(options.out), request.opset,
         made.nodes, made.weights);
    return success;
}

int run(const ExportOptions& options) {
    if (options.to == onnxTarget) {
        return exportModel(options);
    }
    if (!options.weights.empty() || options.opset != 0) {
        throw Error(ErrorCode::usage, {}, "--weights and --opset are options of ONNX models",
                    "add --to onnx, or leave them out");
    }
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
    Verb verb = line.verb("export", "export a design as a folder that runs under mpirun, Slurm or "
                                    "Kubernetes, or as an ONNX model");
    verb.footer("Without --out it prints the one script that --to names. Example:\n"
                "  weft export design.weft --to slurm --nodes 2 --ranks-per-node 4 --out job\n"
                "An ONNX model has the layers that inference uses, for any batch size, their "
                "weights, and the whole design as metadata, so that weft import gives the same "
                "design. A layer that ONNX cannot express is refused by name, the exit code is "
                "3, and nothing is written. Example:\n"
                "  weft export design.weft --to onnx --weights runs/NAME --out model.onnx");
    auto options = std::make_shared<ExportOptions>();
    ExportRequest& request = options->request;
    constexpr int most = 65536;
    verb.option("FILE", options->file, "the design, or for ONNX the folder of a run").required();
    verb.option("--to", options->to, "machine, mpirun, slurm, kubernetes or onnx");
    verb.option("--out", options->out,
                "output folder: new, empty, or an earlier export; for ONNX the file to write");
    verb.option("--weights", options->weights,
                "for ONNX: weights from a run's folder, or a file (safetensors); default: those "
                "of FILE if it is a run, else initial ones");
    verb.option("--opset", options->opset,
                "for ONNX: 17 to 24, default 17; from 23 on the model says how its tensors are "
                "split over devices")
        .between(static_cast<int>(oldestExportedOpset), static_cast<int>(newestExportedOpset));
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
