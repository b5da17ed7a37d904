// SPDX-License-Identifier: Apache-2.0
// weft attach: follows a run from its beginning, wherever and whenever it runs.
#include "command.h"
#include "json_lines.h"
#include "say.h"
#include "verb.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>
#include <weft/error.h>
#include <weft/sinks.h>

#include <cstdio>
#include <memory>

namespace weft {

namespace {

/// How long the run is meant to be, as far as its design can still be read.
RunGoal goalOf(const std::filesystem::path& run) {
    try {
        const TrainingSettings training =
            loadDesign(run / "design.weft", catalogue()).design.training;
        return {training.steps, training.epochs, training.seconds};
    } catch (const Error&) {
        return {};
    }
}

} // namespace

std::function<int()> addAttach(CommandLine& line) {
    Verb verb = line.verb("attach", "follow a run that lives, or read one that ended");
    verb.footer("Reads the run from its first step and follows it until it ends; on a terminal "
                "Ctrl-C leaves it, and the run goes on.\n"
                "Example: weft attach runs/2026-01-01_120000_lenet");
    auto folder = std::make_shared<std::string>();
    auto asJson = std::make_shared<bool>(false);
    verb.option("RUN", *folder, "the run directory").required();
    verb.flag("--json", *asJson, "a line of JSON per step, message, checkpoint and end");
    return [folder, asJson] {
        const std::filesystem::path run = *folder;
        if (!std::filesystem::exists(run / "design.weft")) {
            throw Error(ErrorCode::file, Where{.file = *folder}, "is not the folder of a run",
                        "name one that weft runs lists");
        }
        SinkPlace place = standardOutput();
        place.goal = goalOf(run);
        const std::unique_ptr<RunSink> sinks[] = {*asJson ? makeJsonLines()
                                                          : makeSink("terminal", place)};
        RunReader reader(run);
        followRun(reader, sinks, {}, [](const Error& error) { warn("{}", error.what()); });
        if (!*asJson) {
            say("{}\n", nameOf(reader.state()));
        }
        return reader.state() == RunState::failed ? runFailed : fine;
    };
}

} // namespace weft
