// SPDX-License-Identifier: Apache-2.0
#include "runs/follow_run.h"

#include "command_line/command.h"
#include "command_line/say.h"
#include "runs/json_lines.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>
#include <weft/error.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>

namespace weft {

namespace {

void waitForItsBeginning(const std::filesystem::path& run) {
    std::string reported;
    for (auto summary = summaryOf(run); summary && summary->state == RunState::waiting;
         summary = summaryOf(run)) {
        if (summary->cause != reported) {
            reported = summary->cause;
            warn("waiting: {}", reported);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
}

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

SinkPlace terminalPlace(const std::filesystem::path& run) {
    SinkPlace place = standardOutput();
    place.goal = [run] { return goalOf(run); };
    return place;
}

int followOnTerminal(const std::filesystem::path& run, bool asJson) {
    waitForItsBeginning(run);
    const std::unique_ptr<RunSink> sinks[] = {asJson ? makeJsonLines()
                                                     : makeSink("terminal", terminalPlace(run))};
    RunReader reader(run);
    followRun(reader, sinks, {}, [](const Error& error) { warn("{}", error.what()); });
    const auto summary = summaryOf(run);
    if (!asJson) {
        say("{}\n", nameOf(reader.state()));
    }
    if (summary && reader.state() == RunState::failed && reader.metrics().empty()) {
        warn("{}", summary->cause);
    }
    return reader.state() == RunState::failed ? runFailed : success;
}

} // namespace weft
