// SPDX-License-Identifier: Apache-2.0
// weft runs: lists the runs in a folder.
#include "command_line/command.h"
#include "command_line/say.h"
#include "command_line/verb.h"
#include "results/figures_text.h"
#include <weft/error.h>
#include <weft/hosts.h>
#include <weft/remote.h>
#include <weft/runs.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

namespace weft {

namespace {

using Json = nlohmann::ordered_json;

void printJson(const std::vector<RunSummary>& runs) {
    Json all = Json::array();
    for (const RunSummary& run : runs) {
        Json one{{"name", run.name},
                 {"folder", run.folder.string()},
                 {"design", run.design},
                 {"state", nameOf(run.state)},
                 {"begun", run.begun},
                 {"attempts", run.attempts},
                 {"last_step", run.lastStep},
                 {"last_loss", run.lastLoss ? Json(*run.lastLoss) : Json(nullptr)},
                 {"bytes", run.size.count},
                 {"cause", run.cause}};
        addFigures(one, figuresOf(run), run.devices);
        all.push_back(std::move(one));
    }
    say("{}\n", all.dump(2, ' ', false, Json::error_handler_t::replace));
}

/// If the connection is lost, returns the runs that have a local copy and prints a warning.
std::vector<RunSummary> runsOn(const std::string& host) {
    try {
        return HostLine(hostNamed(host), {.mayAsk = ::isatty(STDERR_FILENO) == 1}).runs();
    } catch (const Error& error) {
        const bool isLost = error.code() == ErrorCode::peer || error.code() == ErrorCode::timeout;
        std::vector<RunSummary> copies =
            isLost ? listRuns(mirrorsOf(host)) : std::vector<RunSummary>();
        if (copies.empty()) {
            throw;
        }
        warn("{}\nweft: showing the runs with a local copy, which may be incomplete", error.what());
        return copies;
    }
}

} // namespace

std::function<int()> addRuns(CommandLine& line) {
    Verb verb = line.verb("runs", "list the runs of a folder, newest first");
    verb.footer("The step time is the median over all training steps. The best loss is the lowest "
                "validation loss, or the lowest training loss if there was no "
                "validation.\nExample: weft runs");
    auto folder = std::make_shared<std::string>("runs");
    auto asJson = std::make_shared<bool>(false);
    verb.option("FOLDER", *folder, "folder of the run directories").showsDefault();
    verb.flag("--json", *asJson, "print JSON");
    auto host = std::make_shared<std::string>();
    verb.option("--on", *host, "list the runs of this host");
    return [folder, asJson, host] {
        const std::vector<RunSummary> runs = host->empty() ? listRuns(*folder) : runsOn(*host);
        if (*asJson) {
            printJson(runs);
            return success;
        }
        for (const RunSummary& run : runs) {
            if (run.state == RunState::waiting && run.lastStep < 0) {
                say("{:<44} {:<8} {}\n", run.name, nameOf(run.state), run.cause);
                continue;
            }
            const RunFigures figures = figuresOf(run);
            say("{:<44} {:<8} step {:<8} {:>8} a step  {} {}{}\n", run.name, nameOf(run.state),
                run.lastStep, stepText(figures), bestName(figures), bestText(figures),
                run.cause.empty() ? "" : "  " + run.cause);
        }
        return success;
    };
}

} // namespace weft
