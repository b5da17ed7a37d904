// SPDX-License-Identifier: Apache-2.0
// weft calibrate: measures this machine's devices and links, and saves the rates that all
// predictions use. Under mpirun it measures the link between two ranks; with --plans, the library's
// algorithms for a design's convolutions.
#include "command_line/command.h"
#include "command_line/say.h"
#include "command_line/verb.h"
#include "designs/designs.h"
#include <weft/devices.h>
#include <weft/error.h>
#include <weft/launch.h>
#include <weft/plan_trials.h>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace weft {

namespace {

using Json = nlohmann::ordered_json;

struct CalibrateOptions {
    std::string backend;
    bool json = false;
    bool noRanks = false;
    bool betweenRanks = false;
    std::string plans; ///< design file whose convolutions are benchmarked; empty: none
    std::vector<std::string> devices;
};

/// Without the link between ranks, predictions fall back to the defaults: prints a warning and
/// continues.
void measureRanks() {
    try {
        (void)measureLinkBetweenProcesses(thisProgram());
    } catch (const Error& error) {
        warn("{}", error.what());
    }
}

Json jsonOfPlan(const MeasuredPlan& plan) {
    return {{"engine", plan.engine},
            {"workspace_bytes", plan.workspace.count},
            {"time_ns", plan.time.count}};
}

/// Prints for each convolution the plan that was found and the plan that the library chooses by
/// default.
int calibratePlans(const CalibrateOptions& options) {
    const std::filesystem::path file = options.plans;
    const Design design =
        readDesign(file, {.devices = options.devices, .until = PreviewPart::shapes});
    const std::vector<PlanTrial> trials =
        measurePlans(design, {.devices = options.devices, .folder = file.parent_path()});
    if (options.json) {
        Json all = Json::array();
        for (const PlanTrial& trial : trials) {
            all.push_back({{"device", trial.device},
                           {"name", trial.name},
                           {"ways", trial.ways},
                           {"first", jsonOfPlan(trial.first)},
                           {"best", jsonOfPlan(trial.best)}});
        }
        say("{}\n", all.dump(1, ' ', false, Json::error_handler_t::replace));
        return success;
    }
    for (const PlanTrial& trial : trials) {
        const bool isFirst = trial.best.engine == trial.first.engine;
        say("{}: {}\n  of {} algorithms {}: {}{}\n", trial.device, trial.name, trial.ways,
            trial.best.engine, toString(trial.best.time),
            isFirst ? ", also the choice of the library"
                    : fmt::format("; {}, the choice of the library: {}", trial.first.engine,
                                  toString(trial.first.time)));
    }
    say("\nsaved to {}\n", surveyMachine().ratesFile);
    return success;
}

int calibrate(const CalibrateOptions& options) {
    if (!options.plans.empty()) {
        return calibratePlans(options);
    }
    if (!options.devices.empty()) {
        throw Error(ErrorCode::usage, {}, "--devices needs a design",
                    "name it with --plans; --backend measures the devices of one backend");
    }
    if (options.betweenRanks) {
        (void)measureLinkBetweenRanks();
        return success;
    }
    (void)measureThisMachine({.backend = options.backend});
    if (!options.noRanks) {
        measureRanks();
    }
    const MachineReport report = surveyMachine();
    say("{}", options.json ? jsonOf(report) : print(report));
    if (!options.json && !report.ratesFile.empty()) {
        say("\nsaved to {}\n", report.ratesFile);
    }
    return success;
}

} // namespace

std::function<int()> addCalibrate(CommandLine& line) {
    Verb verb = line.verb("calibrate",
                          "measure the rates of this machine's devices and links, and save them");
    auto options = std::make_shared<CalibrateOptions>();
    const Option backend =
        verb.option("--backend", options->backend,
                    "measure only devices of this backend: cpu or cuda; default: all");
    Option plans =
        verb.option("--plans", options->plans,
                    "benchmark the library's algorithms for the convolutions of this design on the "
                    "GPUs of this machine, and use the fastest from then on (like cudnn.benchmark)")
            .shown("FILE");
    plans.excludes(backend);
    addDeviceList(verb, options->devices, "with --plans: devices to place the design on");
    verb.flag("--json", options->json, "print JSON");
    plans.excludes(verb.flag("--no-ranks", options->noRanks,
                             "do not measure the link between two processes (which needs mpirun)"));
    plans.excludes(verb.flag(
        "--between-ranks", options->betweenRanks,
        "measure the link between two ranks; start with mpirun -n 2 on one or two hosts"));
    return [options] { return calibrate(*options); };
}

} // namespace weft
