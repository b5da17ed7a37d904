// SPDX-License-Identifier: Apache-2.0
// The program: reads the arguments and hands them to one subcommand.

#include "command.h"
#include "exit_code.h"
#include <weft/error.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace {

/// The OpenMP runtime reads how long its threads may spin when it is loaded, before main: on shared
/// cores its default burns whole time slices, so the program starts itself once more with a short
/// spin, unless the user has set one.
void limitSpinning(char** argv) {
    if (std::getenv("GOMP_SPINCOUNT") == nullptr && std::getenv("OMP_WAIT_POLICY") == nullptr) {
        setenv("GOMP_SPINCOUNT", "20000", 1);
        execv("/proc/self/exe", argv);
    }
}

} // namespace

int main(int argc, char** argv) {
    limitSpinning(argv);
    CLI::App app{"Weft trains networks spread over devices, the way their design says.", "weft"};
    app.set_version_flag("--version", "weft " WEFT_VERSION);
    app.footer(
        "Exit codes: 0 fine, 1 the run failed, 2 usage, 3 the design has errors, 4 the world "
        "failed (a file, a device, a peer).\nBegin: weft new quickstart-digits my.weft, then "
        "weft run my.weft");
    app.require_subcommand(1);
    std::vector<std::pair<CLI::App*, std::function<int()>>> commands;
    for (const weft::AddCommand add :
         {weft::addNew, weft::addLayers, weft::addDevices, weft::addCalibrate, weft::addCheck,
          weft::addExplain, weft::addPlan, weft::addRun, weft::addResume, weft::addEval,
          weft::addInfer, weft::addProve, weft::addRuns, weft::addAttach, weft::addShow,
          weft::addTell, weft::addCompare, weft::addBench, weft::addExport}) {
        const auto before = app.get_subcommands({}).size();
        std::function<int()> run = add(app);
        commands.emplace_back(app.get_subcommands({})[before], std::move(run));
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? weft::fine : weft::usageWrong;
    }
    try {
        for (const auto& [command, run] : commands) {
            if (command->parsed()) {
                return run();
            }
        }
    } catch (const weft::Error& error) {
        fmt::print(stderr, "weft: {}\n", error.what());
        return weft::exitCodeOf(error.code());
    } catch (const std::exception& error) {
        fmt::print(stderr, "weft: {}\n", error.what());
        return weft::runFailed;
    }
    return weft::usageWrong;
}
