// SPDX-License-Identifier: Apache-2.0
// weft run, resume, eval: a session in this process, told about through its run directory like any
// other.
#include "command.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>
#include <weft/error.h>
#include <weft/runs.h>
#include <weft/session.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <memory>
#include <thread>

namespace weft {

namespace {

std::atomic<int> signals = 0;

void onSignal(int) { signals.fetch_add(1); }

/// SIGINT and SIGTERM finish the step, save and say how to go on.
void catchSignals() {
    struct sigaction action {};
    action.sa_handler = onSignal;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

int exitCodeOf(const SessionOutcome& outcome) {
    if (outcome.state != SessionState::failed) {
        return fine;
    }
    switch (outcome.code) {
    case ErrorCode::design: return designWrong;
    case ErrorCode::numerics:
    case ErrorCode::stopped:
    case ErrorCode::bug: return runFailed;
    default: return worldFailed;
    }
}

bool hasEnded(SessionState state) {
    return state == SessionState::finished || state == SessionState::stopped ||
           state == SessionState::failed;
}

/// Steps as they come: a line that is written over on a terminal, plain lines otherwise.
class Progress {
public:
    explicit Progress(std::filesystem::path folder) : reader_(std::move(folder)) {}

    void show() {
        for (bool more = true; more;) {
            const RunNews news = reader_.read();
            for (const StepRecord& step : news.steps) {
                show(step);
            }
            more = news.isMore;
        }
    }
    void finish() const {
        if (isTerminal_) {
            fmt::print("\n");
        }
    }

private:
    double valueOf(const StepRecord& step, std::string_view name) const {
        for (const MetricValue& value : step.values) {
            if (reader_.metrics()[value.metric].name == name) {
                return value.value;
            }
        }
        return 0;
    }

    void show(const StepRecord& step) {
        if (step.split == Split::evaluate) {
            std::string text = fmt::format("evaluation after step {}: loss {:.4f}", step.step,
                                           valueOf(step, "loss"));
            for (const MetricValue& value : step.values) {
                const std::string& name = reader_.metrics()[value.metric].name;
                text += name == "loss" ? "" : fmt::format(", {} {:.4f}", name, value.value);
            }
            fmt::print("{}{}\n", isTerminal_ ? "\r\033[K" : "", text);
        } else if (isTerminal_ || step.step % 50 == 0 || step.step == 1) {
            fmt::print("{}step {}  epoch {:.2f}  loss {:.4f}  {:.0f} examples/s{}",
                       isTerminal_ ? "\r\033[K" : "", step.step, step.epoch, valueOf(step, "loss"),
                       valueOf(step, "throughput"), isTerminal_ ? "" : "\n");
        }
        std::fflush(stdout);
    }

    RunReader reader_;
    // Under a launcher several ranks share the terminal; rank 0 alone speaks, in plain lines.
    bool isTerminal_ = isatty(STDOUT_FILENO) != 0;
};

int follow(SessionRequest request) {
    catchSignals();
    Session session(std::move(request));
    std::unique_ptr<Progress> progress;
    int seen = 0;
    while (!hasEnded(session.state())) {
        if (signals.load() > seen) {
            seen = signals.load();
            session.stop();
        }
        if (!progress && session.state() == SessionState::running && !session.directory().empty()) {
            progress = std::make_unique<Progress>(session.directory());
        }
        if (progress) {
            progress->show();
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    const SessionOutcome outcome = session.wait();
    if (progress) {
        progress->show();
        progress->finish();
    }
    for (const auto& [name, value] : outcome.evaluation) {
        fmt::print("{} {:.4f}\n", name, value);
    }
    if (!outcome.message.empty()) {
        fmt::print(stderr, "weft: {}\n", outcome.message);
    }
    return exitCodeOf(outcome);
}

struct RunOptions {
    std::string file;
    std::vector<std::string> devices;
    std::string backend;
    std::string runs = "runs";
    std::string weights;
    std::string device;
};

void addCommon(CLI::App& command, RunOptions& options) {
    command.add_option("--devices", options.devices, "devices to run on: cpu:0,cpu:1")
        ->delimiter(',');
    command.add_option("--backend", options.backend,
                       "compute with this backend instead of the devices' own");
}

SessionRequest requestFor(const RunOptions& options) {
    SessionRequest request;
    const std::filesystem::path file = options.file;
    LoadedDesign loaded = loadDesign(file, catalogue());
    request.design = std::move(loaded.design);
    request.folder = file.parent_path();
    request.devices = options.devices;
    request.backend = options.backend;
    request.runs = options.runs;
    request.weights = options.weights;
    return request;
}

} // namespace

std::function<int()> addRun(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("run", "train a design; what happens is kept in a run directory");
    auto options = std::make_shared<RunOptions>();
    command->add_option("FILE", options->file, "the design")->required();
    addCommon(*command, *options);
    command->add_option("--runs", options->runs, "folder in which the run directory is made")
        ->capture_default_str();
    command->add_option("--weights", options->weights, "safetensors to begin from, by layer name");
    return [options] { return follow(requestFor(*options)); };
}

std::function<int()> addResume(CLI::App& app) {
    CLI::App* command = app.add_subcommand("resume", "go on with a run from its last checkpoint");
    auto options = std::make_shared<RunOptions>();
    command->add_option("RUN", options->file, "the run directory")->required();
    addCommon(*command, *options);
    return [options] {
        RunOptions given = *options;
        given.file = (std::filesystem::path(options->file) / "design.weft").string();
        SessionRequest request = requestFor(given);
        request.resume = options->file;
        return follow(std::move(request));
    };
}

std::function<int()> addEval(CLI::App& app) {
    CLI::App* command = app.add_subcommand("eval", "evaluate a design with given weights");
    auto options = std::make_shared<RunOptions>();
    command->add_option("FILE", options->file, "the design")->required();
    addCommon(*command, *options);
    command->add_option("--weights", options->weights, "safetensors to load, by layer name")
        ->required();
    return [options] {
        SessionRequest request = requestFor(*options);
        request.isEvaluation = true;
        return follow(std::move(request));
    };
}

} // namespace weft
