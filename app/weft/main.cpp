// SPDX-License-Identifier: Apache-2.0
// The program weft: parses the command line and calls one subcommand.

#include "command_line/command.h"
#include "command_line/exit_code.h"
#include "command_line/say.h"
#include "command_line/verb.h"
#include <weft/error.h>
#include <weft/launch.h>

#include <unistd.h>

#include <cstdlib>

namespace {

/// The OpenMP runtime reads its spin time when it is loaded, before main. On shared cores the
/// default wastes whole time slices, so the program executes itself again with a short spin time,
/// unless the user has set one.
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
        "weft",
        "Weft trains neural networks on one or more devices, as their design assigns the layers.",
        "weft " WEFT_VERSION);
    line.footer("Exit codes: 0 success, 1 the run failed, 2 usage, 3 the design has errors, 4 a "
                "file, a device or another process failed.\nFirst steps: weft new "
                "quickstart-digits my.weft, then weft run my.weft");
    std::vector<std::function<int()>> runs;
    for (const weft::AddCommand add :
         {weft::addNew,       weft::addLayers, weft::addSettingsVerb, weft::addDevices,
          weft::addCalibrate, weft::addCheck,  weft::addData,         weft::addExplain,
          weft::addPlan,      weft::addRun,    weft::addResume,       weft::addEval,
          weft::addInfer,     weft::addProve,  weft::addRuns,         weft::addAttach,
          weft::addShow,      weft::addTell,   weft::addHost,         weft::addCompare,
          weft::addBench,     weft::addExport, weft::addImport,       weft::addAnswer,
          weft::addWords}) {
        runs.push_back(add(line));
    }
    try {
        const std::optional<int> exitCode = line.read(argc, argv);
        const int code = exitCode ? *exitCode : runs.at(line.chosen())();
        weft::flushOutput();
        return code;
    } catch (const weft::Error& error) {
        weft::warn("{}", error.what());
        return weft::exitCodeOf(error.code());
    } catch (const std::exception& error) {
        weft::warn("{}", error.what());
        return weft::runFailed;
    }
}
