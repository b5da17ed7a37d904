// SPDX-License-Identifier: Apache-2.0
// weft calibrate: measures this machine's devices and links and keeps the rates, from which every
// later prediction is made. Under mpirun it measures the link between the two ranks instead.
#include "command.h"
#include "say.h"
#include "verb.h"
#include <weft/devices.h>
#include <weft/error.h>
#include <weft/launch.h>

#include <memory>
#include <string>

namespace weft {

namespace {

struct CalibrateOptions {
    std::string backend;
    bool json = false;
    bool noRanks = false;
    bool betweenRanks = false;
};

/// Without that link predictions are made as ever: what is amiss is said, and the rest goes on.
void measureRanks() {
    try {
        (void)measureLinkBetweenProcesses(thisProgram());
    } catch (const Error& error) {
        warn("{}", error.what());
    }
}

int calibrate(const CalibrateOptions& options) {
    if (options.betweenRanks) {
        (void)measureLinkBetweenRanks();
        return fine;
    }
    (void)measureThisMachine({.backend = options.backend});
    if (!options.noRanks) {
        measureRanks();
    }
    const MachineReport report = surveyMachine();
    say("{}", options.json ? jsonOf(report) : print(report));
    if (!options.json && !report.ratesFile.empty()) {
        say("\nkept in {}\n", report.ratesFile);
    }
    return fine;
}

} // namespace

std::function<int()> addCalibrate(CommandLine& line) {
    Verb verb =
        line.verb("calibrate", "measure devices and links of this machine and keep their rates");
    auto options = std::make_shared<CalibrateOptions>();
    verb.option("--backend", options->backend,
                "measure this backend's devices alone: cpu, cuda; else all that runs are for");
    verb.flag("--json", options->json, "for a program to read");
    verb.flag("--no-ranks", options->noRanks,
              "leave out the link between two processes, which mpirun starts");
    verb.flag("--between-ranks", options->betweenRanks,
              "started by mpirun -n 2, on one host or two: measure the link between them");
    return [options] { return calibrate(*options); };
}

} // namespace weft
