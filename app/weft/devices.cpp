// SPDX-License-Identifier: Apache-2.0
// weft devices: what this machine has, and what would bring the rest.
#include "command.h"
#include "verb.h"
#include <weft/devices.h>

#include <fmt/format.h>

#include <memory>

namespace weft {

namespace {

struct Options {
    bool json = false;
    bool sheets = false;
};

} // namespace

std::function<int()> addDevices(CommandLine& line) {
    Verb verb = line.verb("devices", "what this machine has: devices, links, optional parts");
    auto options = std::make_shared<Options>();
    verb.flag("--json", options->json, "for a program to read");
    verb.flag("--sheets", options->sheets,
              "the data sheets that a design may name for devices one does not have");
    return [options] {
        MachineReport report = surveyMachine();
        if (options->sheets) {
            report.machine.devices = dataSheets();
        }
        fmt::print("{}", options->json ? jsonOf(report) : print(report));
        return fine;
    };
}

} // namespace weft
