// SPDX-License-Identifier: Apache-2.0
// weft runs: the history of a folder.
#include "command.h"
#include <weft/runs.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>

namespace weft {

std::function<int()> addRuns(CLI::App& app) {
    CLI::App* command = app.add_subcommand("runs", "the runs of a folder, newest first");
    auto folder = std::make_shared<std::string>("runs");
    command->add_option("FOLDER", *folder, "where the run directories are")->capture_default_str();
    return [folder] {
        for (const RunSummary& run : listRuns(*folder)) {
            fmt::print("{:<44} {:<8} step {:<8} {}{}\n", run.name, nameOf(run.state), run.lastStep,
                       run.lastLoss ? fmt::format("loss {:.4f}", *run.lastLoss) : std::string(),
                       run.cause.empty() ? "" : "  " + run.cause);
        }
        return fine;
    };
}

} // namespace weft
