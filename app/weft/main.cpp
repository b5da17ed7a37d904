// SPDX-License-Identifier: Apache-2.0
// The program: reads the arguments and hands them to one subcommand.

#include "command.h"
#include "exit_code.h"
#include "say.h"
#include "verb.h"
#include <weft/error.h>
#include <weft/launch.h>

#include <unistd.h>

#include <cstdlib>

namespace {

/// The OpenMP runtime reads how long its threads may spin when it is loaded, before main: on shared
/// cores its default burns whole time slices, so the program starts itself once more with a short
/// spin, unless the user has set one.
void limitSpinning(char** argv) {
    if (std::getenv("GOMP_SPINCOUNT") == nullptr && std::getenv("OMP_WAIT_POLICY") == nullptr) {
        setenv("GOMP_SPINCOUNT", "20000", 1);
        execv(weft::thisProgram().c_str(), argv);
    }
}

} // namespace

int main(int argc, char** argv) {
    limitSpinning(argv);
    weft::CommandLine line(
        "weft", "Trains networks in parallel over devices, as their design assigns them.",
        "weft " WEFT_VERSION);
    line.footer("Exit codes: 0 success, 1 the run failed, 2 wrong usage, 3 the design has errors, "
                "4 a file, device or other process failed.\nTo start: weft new quickstart-digits "
                "my.weft, then weft run my.weft");
    std::vector<std::function<int()>> runs;
    for (const weft::AddCommand add :
         {weft::addNew,       weft::addLayers, weft::addSettingsVerb, weft::addDevices,
          weft::addCalibrate, weft::addCheck,  weft::addExplain,      weft::addPlan,
          weft::addRun,       weft::addResume, weft::addEval,         weft::addInfer,
          weft::addProve,     weft::addRuns,   weft::addAttach,       weft::addShow,
          weft::addTell,      weft::addHost,   weft::addCompare,      weft::addBench,
          weft::addExport,    weft::addAnswer, weft::addWords}) {
        runs.push_back(add(line));
    }
    try {
        const std::optional<int> exitCode = line.read(argc, argv);
        const int code = exitCode ? *exitCode : runs.at(line.chosen())();
        weft::finishSaying();
        return code;
    } catch (const weft::Error& error) {
        weft::warn("{}", error.what());
        return weft::exitCodeOf(error.code());
    } catch (const std::exception& error) {
        weft::warn("{}", error.what());
        return weft::runFailed;
    }
}
