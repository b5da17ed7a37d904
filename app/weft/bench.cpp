// SPDX-License-Identifier: Apache-2.0
// weft bench: training steps on data in memory, as one JSON object.
#include "command.h"
#include "designs.h"
#include <weft/measure.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

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
    request.design = readDesign(file, options.settings);
    request.folder = file.parent_path();
    request.data.assign(options.data.begin(), options.data.end());
    request.weights = options.weights;
    request.record = options.record;
    const BenchResult result = bench(request);
    if (result.rank == 0) {
        fmt::print("{}\n", toJson(result, WEFT_VERSION, options.hasOps));
    }
    return fine;
}

} // namespace

std::function<int()> addBench(CLI::App& app) {
    CLI::App* command = app.add_subcommand(
        "bench", "time training steps on data in memory; prints one JSON object");
    auto options = std::make_shared<BenchOptions>();
    BenchRequest& request = options->request;
    command->add_option("FILE", options->file, "the design")->required();
    addSettings(*command, options->settings);
    command->add_option("--threads", request.threads, "cores of all devices together; 0: all")
        ->capture_default_str();
    command->add_option("--steps", request.steps, "steps that are timed")->capture_default_str();
    command->add_option("--warmup", request.warmup, "steps before them")->capture_default_str();
    command->add_option("--batches", request.batches, "different batches, taken in turn")
        ->capture_default_str();
    addDeviceList(*command, request.devices, "devices to run on: cpu:0,cpu:1");
    command->add_option("--backend", request.backend,
                        "compute with this backend instead of the devices' own");
    command->add_option("--data", options->data, "a folder in which the design's files lie too")
        ->allow_extra_args(false);
    command->add_option("--weights", options->weights, "safetensors to begin from");
    command->add_option("--record", options->record,
                        "folder for the first weights and the batches, as safetensors");
    command->add_flag("--ops", options->hasOps, "with the time of every op, slowest first");
    return [options] { return measure(*options); };
}

} // namespace weft
