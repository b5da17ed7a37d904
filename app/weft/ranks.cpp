// SPDX-License-Identifier: Apache-2.0
#include "ranks.h"

#include "command.h"
#include "exit_code.h"
#include "signals.h"
#include <weft/launch.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <thread>

namespace weft {

namespace {

/// The command as it was typed, without what only its launcher reads.
std::vector<std::string> commandOf(const CLI::App& command) {
    std::vector<std::string> words{std::filesystem::read_symlink("/proc/self/exe").string(),
                                   command.get_name()};
    for (const CLI::Option* option : command.get_options()) {
        const std::string name = option->get_name();
        if (option->count() == 0 || name == "--ranks" || name == "--hosts") {
            continue;
        }
        if (option->get_type_size() == 0) {
            words.push_back(name);
            continue;
        }
        // Each with its name: an option that is given again takes one value at a time.
        for (const std::string& value : option->results()) {
            if (!option->get_positional()) {
                words.push_back(name);
            }
            words.push_back(value);
        }
    }
    return words;
}

} // namespace

void addRanks(CLI::App& command, RanksOptions& options) {
    command.add_option("--ranks", options.ranks, "start so many processes with mpirun")
        ->check(CLI::Range(1, 65536));
    command.add_option("--hosts", options.hosts, "hostfile of mpirun: where the ranks live")
        ->check(CLI::ExistingFile);
}

int runOnRanks(const CLI::App& command, const RanksOptions& options) {
    catchSignals();
    LaunchRequest request;
    request.ranks = options.ranks;
    request.command = commandOf(command);
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
