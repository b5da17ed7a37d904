// SPDX-License-Identifier: Apache-2.0
// weft runs: the history of a folder.
#include "command.h"
#include "say.h"
#include "verb.h"
#include <weft/runs.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace weft {

namespace {

using Json = nlohmann::ordered_json;

void printJson(const std::vector<RunSummary>& runs) {
    Json all = Json::array();
    for (const RunSummary& run : runs) {
        all.push_back({{"name", run.name},
                       {"folder", run.folder.string()},
                       {"design", run.design},
                       {"state", nameOf(run.state)},
                       {"begun", run.begun},
                       {"attempts", run.attempts},
                       {"last_step", run.lastStep},
                       {"last_loss", run.lastLoss ? Json(*run.lastLoss) : Json(nullptr)},
                       {"bytes", run.size.count},
                       {"cause", run.cause}});
    }
    say("{}\n", all.dump(2, ' ', false, Json::error_handler_t::replace));
}

} // namespace

std::function<int()> addRuns(CommandLine& line) {
    Verb verb = line.verb("runs", "the runs of a folder, newest first");
    verb.footer("Example: weft runs");
    auto folder = std::make_shared<std::string>("runs");
    auto asJson = std::make_shared<bool>(false);
    verb.option("FOLDER", *folder, "where the run directories are").showsDefault();
    verb.flag("--json", *asJson, "for a program to read");
    return [folder, asJson] {
        const std::vector<RunSummary> runs = listRuns(*folder);
        if (*asJson) {
            printJson(runs);
            return fine;
        }
        for (const RunSummary& run : runs) {
            say("{:<44} {:<8} step {:<8} {}{}\n", run.name, nameOf(run.state), run.lastStep,
                run.lastLoss ? fmt::format("loss {:.4f}", *run.lastLoss) : std::string(),
                run.cause.empty() ? "" : "  " + run.cause);
        }
        return fine;
    };
}

} // namespace weft
