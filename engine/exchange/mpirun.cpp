// SPDX-License-Identifier: Apache-2.0
// Exports a script for this machine, or for the hosts of a hostfile under mpirun.
#include "base/text/names_of.h"
#include "exchange/quoting.h"
#include "exchange/scripts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace weft {

std::string jobName(const ExportRequest& request) {
    const std::string& name = request.name.empty() ? request.design.name : request.name;
    return lowerCaseName(name);
}

std::string runOptions(const ExportRequest& request) {
    std::string options;
    if (!request.devices.empty()) {
        std::string list;
        for (const std::string& device : request.devices) {
            list += (list.empty() ? "" : ",") + device;
        }
        options += " --devices " + shellWord(list);
    }
    for (const std::string& setting : request.settings) {
        options += " --set " + shellWord(setting);
    }
    return options;
}

std::string newRunOptions(const ExportRequest& request) {
    return request.weights.empty() ? "" : " --weights " + shellWord(request.weights);
}

std::vector<std::string> deviceCheckWords(const ExportRequest& request) {
    const std::vector<std::string> devices =
        request.devices.empty() ? namesOf(request.design.devices) : request.devices;
    const bool isEverywhere = std::ranges::all_of(
        devices, [](const std::string& device) { return device.starts_with("cpu:"); });
    if (isEverywhere) {
        return {};
    }
    return {"devices", "--need", fmt::format("{}", fmt::join(devices, ","))};
}

namespace {

/// Returns the beginning of both scripts: paths, and the run to resume if there is one.
std::string head(const ExportRequest& request) {
    return fmt::format(
        "#!/usr/bin/env bash\n"
        "# Trains {name}. Runs go into ./runs (or $WEFT_RUNS), data is searched in $WEFT_DATA.\n"
        "#   ./run.sh            a new run\n"
        "#   ./run.sh RUN        resumes that run from its last checkpoint\n"
        "#   WEFT_RUN=RUN ./run.sh   resumes that run if it has a checkpoint, else starts it\n"
        "set -euo pipefail\n"
        "cd \"$(dirname \"$0\")\"\n"
        "weft=${{WEFT:-{program}}}\n"
        "data=${{WEFT_DATA:-{data}}}\n"
        "runs=${{WEFT_RUNS:-runs}}\n"
        "run=${{WEFT_RUN:-}}\n"
        "options=({options} )\n"
        "if [ $# -gt 0 ]; then\n"
        "    command=(\"$weft\" resume \"$1\")\n"
        "elif {has_saved}; then\n"
        "    command=(\"$weft\" resume \"$run\")\n"
        "elif [ -n \"$run\" ]; then\n"
        "    command=(\"$weft\" run design.weft --run \"$run\"{begin})\n"
        "else\n"
        "    command=(\"$weft\" run design.weft --runs \"$runs\"{begin})\n"
        "fi\n"
        "if [ -n \"$data\" ]; then\n"
        "    command+=(--data \"$data\")\n"
        "fi\n",
        fmt::arg("name", jobName(request)), fmt::arg("program", shellWord(request.program)),
        fmt::arg("data", request.folder.empty() ? "''" : shellWord(request.folder.string())),
        fmt::arg("options", runOptions(request)), fmt::arg("has_saved", hasCheckpointTest),
        fmt::arg("begin", newRunOptions(request)));
}

/// Returns a script line that ends the script with a message if a device is missing.
std::string questionLine(const ExportRequest& request, const std::string& ranks) {
    const std::string question = shellWords(deviceCheckWords(request));
    return question.empty() ? "" : "\"$weft\" " + question + ranks + "\n";
}

} // namespace

std::string machineScript(const ExportRequest& request) {
    return head(request) + questionLine(request, "") + "exec \"${command[@]}\" \"${options[@]}\"\n";
}

std::string mpirunScript(const ExportRequest& request) {
    const std::string ranks = fmt::format(" --ranks {} --hosts hostfile", request.ranks());
    return head(request) + questionLine(request, ranks) +
           R"(exec "${command[@]}" "${options[@]}")" + ranks + "\n";
}

std::string hostfile(const ExportRequest& request) {
    std::string text = "# One line per machine that ranks are started on, by ssh.\n";
    if (request.hosts.empty()) {
        return text + fmt::format("localhost slots={}\n", request.ranks());
    }
    for (const std::string& host : request.hosts) {
        text += fmt::format("{} slots={}\n", directiveValue("host", host), request.ranksPerNode);
    }
    return text;
}

} // namespace weft
