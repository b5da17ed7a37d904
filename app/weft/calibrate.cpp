// SPDX-License-Identifier: Apache-2.0
// weft calibrate: measures this machine's devices and links and keeps the rates, from which every
// later prediction is made. Under mpirun it measures the link between the two ranks instead.
#include "command.h"
#include <weft/devices.h>
#include <weft/error.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace weft {

namespace {

struct Options {
    std::string backend = "cpu";
    bool json = false;
    bool noRanks = false;
    bool betweenRanks = false;
};

/// mpirun as a small machine and root need it.
std::vector<std::string> twoRanks(const std::string& program) {
    std::vector<std::string> words{"mpirun", "--oversubscribe", "--bind-to", "none", "-n", "2"};
    if (geteuid() == 0) {
        words.insert(words.begin() + 1, "--allow-run-as-root");
    }
    words.insert(words.end(), {program, "calibrate", "--between-ranks"});
    return words;
}

/// True when the two processes ended well.
bool runs(std::vector<std::string> words) {
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    pid_t child = 0;
    if (posix_spawnp(&child, arguments.front(), nullptr, nullptr, arguments.data(), environ) != 0) {
        return false;
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            return false;
        }
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::string thisProgram() {
    std::array<char, 4096> path{};
    const auto length = readlink("/proc/self/exe", path.data(), path.size() - 1);
    return length > 0 ? std::string(path.data(), static_cast<std::size_t>(length)) : "weft";
}

bool hasMpi() {
    const std::vector<Feature> features = surveyMachine().features;
    return std::any_of(features.begin(), features.end(), [](const Feature& feature) {
        return feature.name == "MPI" && feature.isFound;
    });
}

int calibrate(const Options& options) {
    if (options.betweenRanks) {
        (void)measureLinkBetweenRanks();
        return fine;
    }
    (void)measureThisMachine({.backend = options.backend});
    if (!options.noRanks && hasMpi() && !runs(twoRanks(thisProgram()))) {
        fmt::print(stderr, "weft: the link between processes was not measured: mpirun -n 2 weft "
                           "calibrate --between-ranks says why\n");
    }
    const MachineReport report = surveyMachine();
    fmt::print("{}", options.json ? jsonOf(report) : print(report));
    if (!options.json && !report.ratesFile.empty()) {
        fmt::print("\nkept in {}\n", report.ratesFile);
    }
    return fine;
}

} // namespace

std::function<int()> addCalibrate(CLI::App& app) {
    CLI::App* command = app.add_subcommand(
        "calibrate", "measure devices and links of this machine and keep their rates");
    auto options = std::make_shared<Options>();
    command->add_option("--backend", options->backend, "measure this backend's devices")
        ->capture_default_str();
    command->add_flag("--json", options->json, "for a program to read");
    command->add_flag("--no-ranks", options->noRanks,
                      "leave out the link between two processes, which mpirun starts");
    command->add_flag("--between-ranks", options->betweenRanks,
                      "started by mpirun -n 2, on one host or two: measure the link between them");
    return [options] { return calibrate(*options); };
}

} // namespace weft
