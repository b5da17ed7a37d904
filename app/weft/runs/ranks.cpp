// SPDX-License-Identifier: Apache-2.0
#include "runs/ranks.h"

#include "command_line/command.h"
#include "command_line/exit_code.h"
#include "command_line/say.h"
#include "command_line/signals.h"
#include "command_line/verb.h"
#include <weft/error.h>
#include <weft/launch.h>
#include <weft/preview.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <thread>

namespace weft {

namespace {

LaunchRequest requestFor(const RanksOptions& options) {
    LaunchRequest request;
    request.ranks = options.ranks;
    request.hosts = options.hosts;
    return request;
}

} // namespace

void addRanks(Verb& verb, RanksOptions& options) {
    verb.option("--ranks", options.ranks, "number of ranks to start with mpirun").between(1, 65536);
    verb.option("--hosts", options.hosts, "mpirun's hostfile");
}

void requireRunnable(const RanksOptions& options, const DesignForRanks& all) {
    requireLaunchable(requestFor(options));
    PreviewCache cache;
    const PreviewRequest wanted{.devices = devicesOnRanks(all.design, all.devices, options.ranks),
                                .machine = thisMachine(),
                                .ranks = options.ranks,
                                .wantsLegal = false};
    const auto answer = preview(all.design, cache, wanted);
    const Preview& shown = *answer;
    const auto first = std::ranges::find(shown.problems, Severity::error, &Diagnostic::severity);
    if (first != shown.problems.end()) {
        throw Error(ErrorCode::design, Where{.file = all.file, .layer = first->layerName},
                    first->text,
                    first->fix.text.empty() ? "weft check shows every problem" : first->fix.text);
    }
}

int runOnRanks(const Verb& verb, const RanksOptions& options) {
    countSignals();
    LaunchRequest request = requestFor(options);
    request.command = {thisProgram().string()};
    // Only the launcher reads these two options.
    std::ranges::copy(verb.typed({"--ranks", "--hosts"}), std::back_inserter(request.command));
    Launch launch(std::move(request));
    warn("{}", launch.line());
    int seen = 0;
    while (!launch.hasEnded()) {
        if (signalCount() > seen) {
            // The first signal asks the ranks to finish their step and save; the second ends them.
            seen == 0 ? launch.stop() : launch.end();
            seen = signalCount();
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    const LaunchOutcome outcome = launch.wait();
    if (!outcome.message.empty()) {
        warn("{}", outcome.message);
    }
    return outcome.isFailed ? exitCodeOf(outcome.code) : success;
}

} // namespace weft
