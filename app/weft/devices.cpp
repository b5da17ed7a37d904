// SPDX-License-Identifier: Apache-2.0
// weft devices: what this machine has, and what would bring the rest.
#include "command.h"
#include <weft/devices.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>

namespace weft {

namespace {

struct Options {
    bool json = false;
    bool sheets = false;
};

} // namespace

std::function<int()> addDevices(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("devices", "what this machine has: devices, links, optional parts");
    auto options = std::make_shared<Options>();
    command->add_flag("--json", options->json, "for a program to read");
    command->add_flag("--sheets", options->sheets,
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
