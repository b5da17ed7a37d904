// SPDX-License-Identifier: Apache-2.0
// weft bench: times training steps on data in memory and prints one JSON object.
#include "command_line/command.h"
#include "command_line/say.h"
#include "command_line/verb.h"
#include "designs/designs.h"
#include <weft/measure.h>

#include <memory>

namespace weft {

namespace {

struct BenchOptions {
    std::string file;
    std::vector<std::string> settings;
    std::vector<std::string> data;
    std::string weights;
    std::string record;
    bool hasOps = false;
    BenchRequest request;
};

int measure(const BenchOptions& options) {
    BenchRequest request = options.request;
    const std::filesystem::path file = options.file;
    request.design = readDesign(file, {options.settings, request.devices, options.data});
    request.folder = file.parent_path();
    request.data.assign(options.data.begin(), options.data.end());
    request.weights = options.weights;
    request.record = options.record;
    BenchResult result;
    namingFile(file, [&] { result = bench(request); });
    if (result.rank == 0) {
        for (const std::string& remark : result.remarks) {
            warn("{}", remark);
        }
        say("{}\n", toJson(result, WEFT_VERSION, options.hasOps));
    }
    return success;
}

} // namespace

std::function<int()> addBench(CommandLine& line) {
    Verb verb = line.verb("bench", "time training steps on data in memory; prints one JSON object");
    auto options = std::make_shared<BenchOptions>();
    BenchRequest& request = options->request;
    verb.option("FILE", options->file, "the design").required();
    addSettings(verb, options->settings);
    verb.option("--threads", request.threads, "total number of cores over all devices; 0: all")
        .showsDefault()
        .between(0, 65536);
    verb.option("--steps", request.steps, "number of timed steps")
        .showsDefault()
        .between(1, 1'000'000);
    verb.option("--warmup", request.warmup, "warm-up steps before timing")
        .showsDefault()
        .between(0, 1'000'000);
    verb.option("--batches", request.batches, "number of distinct batches, used in turn")
        .showsDefault()
        .positive();
    addDeviceList(verb, request.devices, "devices to run on: cpu:0,cpu:1");
    verb.option("--backend", request.backend,
                "use this backend's kernels instead of the devices' own");
    verb.option("--data", options->data, "additional folder to search for the design's data files");
    verb.option("--weights", options->weights, "initial weights, a safetensors file");
    verb.option("--record", options->record,
                "write initial weights and batches to this folder, as safetensors");
    verb.flag("--ops", options->hasOps, "include the time of every op, slowest first");
    return [options] { return measure(*options); };
}

} // namespace weft
