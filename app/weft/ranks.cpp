// SPDX-License-Identifier: Apache-2.0
#include "ranks.h"

#include "command.h"
#include "exit_code.h"
#include "signals.h"
#include "verb.h"
#include <weft/launch.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <thread>

namespace weft {

void addRanks(Verb& verb, RanksOptions& options) {
    verb.option("--ranks", options.ranks, "start so many processes with mpirun").between(1, 65536);
    verb.option("--hosts", options.hosts, "hostfile of mpirun: where the ranks live")
        .existingFile();
}

int runOnRanks(const Verb& verb, const RanksOptions& options) {
    catchSignals();
    LaunchRequest request;
    request.ranks = options.ranks;
    request.command = {std::filesystem::read_symlink("/proc/self/exe").string()};
    // The two are for the launcher alone to read.
    std::ranges::copy(verb.typed({"--ranks", "--hosts"}), std::back_inserter(request.command));
    request.hosts = options.hosts;
    Launch launch(std::move(request));
    fmt::print(stderr, "weft: {}\n", launch.line());
    int seen = 0;
    while (!launch.hasEnded()) {
        if (signalsSeen() > seen) {
            // The first time the ranks finish their step and save, the second time they end.
            seen == 0 ? launch.stop() : launch.end();
            seen = signalsSeen();
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    const LaunchOutcome outcome = launch.wait();
    if (!outcome.message.empty()) {
        fmt::print(stderr, "weft: {}\n", outcome.message);
    }
    return outcome.isFailed ? exitCodeOf(outcome.code) : fine;
}

} // namespace weft
