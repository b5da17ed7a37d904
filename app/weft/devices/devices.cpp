// SPDX-License-Identifier: Apache-2.0
// weft devices: lists this machine's devices, and how to enable missing ones.
#include "command_line/command.h"
#include "command_line/say.h"
#include "command_line/verb.h"
#include "runs/ranks.h"
#include <weft/devices.h>
#include <weft/error.h>
#include <weft/launch.h>

#include <memory>
#include <string>
#include <vector>

namespace weft {

namespace {

struct DevicesOptions {
    bool json = false;
    bool sheets = false;
    std::vector<std::string> needed;
    RanksOptions ranks;
};

/// Prints nothing if all devices are present.
int ask(const Verb& verb, const DevicesOptions& options) {
    if (options.ranks.ranks > 0) {
        static_cast<void>(devicesOnRanks({}, options.needed, options.ranks.ranks));
        return runOnRanks(verb, options.ranks);
    }
    const std::vector<std::string> missing = missingDevices(options.needed);
    for (const std::string& sentence : missing) {
        warn("{}", sentence);
    }
    return missing.empty() ? success : environmentError;
}

} // namespace

std::function<int()> addDevices(CommandLine& line) {
    Verb verb = line.verb("devices", "list devices, links and optional features of this machine");
    auto options = std::make_shared<DevicesOptions>();
    verb.flag("--json", options->json, "print JSON");
    verb.flag("--sheets", options->sheets, "list the data sheets for devices that are not present");
    verb.option("--need", options->needed,
                "check that a run could open these devices, such as cuda:0,cuda:1: prints nothing "
                "if so, otherwise what is missing, with exit code 4")
        .separatedBy(',');
    addRanks(verb, options->ranks);
    verb.footer("With --ranks, every rank checks the devices that a run would assign to it. "
                "Example:\n  weft devices --need cuda:0,cuda:1 --ranks 2 --hosts hostfile");
    return [options, verb]() -> int {
        if (!options->needed.empty()) {
            return ask(verb, *options);
        }
        if (options->ranks.ranks > 0) {
            throw Error(ErrorCode::usage, {}, "--ranks and --hosts need the names of devices",
                        "name them: --need cuda:0,cuda:1");
        }
        MachineReport report = surveyMachine();
        if (options->sheets) {
            report.machine.devices = dataSheets();
        } else {
            askFreeMemory(report);
        }
        say("{}", options->json ? jsonOf(report) : print(report));
        return success;
    };
}

} // namespace weft
