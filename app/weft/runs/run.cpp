// SPDX-License-Identifier: Apache-2.0
// weft run, resume, eval: run a session in this process; like any run, it is observed through its
// run directory.
#include "command_line/command.h"
#include "command_line/exit_code.h"
#include "command_line/say.h"
#include "command_line/signals.h"
#include "command_line/verb.h"
#include "designs/designs.h"
#include "runs/follow_run.h"
#include "runs/ranks.h"
#include "runs/run_place.h"
#include "runs/run_there.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>
#include <weft/error.h>
#include <weft/runs.h>
#include <weft/session.h>
#include <weft/sinks.h>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>

namespace weft {

namespace {

/// If a run with several ranks has failed and its threads hang on a missing rank, the process exits
/// after this time. A signal means that the user is about to end the process.
constexpr std::chrono::milliseconds patience{15'000};
constexpr std::chrono::milliseconds patienceOnSignal{300};

[[noreturn]] void leave(const SessionFailure& failure) {
    if (failure.isOurs) {
        warn("{}", failure.message);
    }
    std::fflush(nullptr);
    std::_Exit(exitCodeOf(failure.code));
}

bool hasEnded(SessionState state) {
    return state == SessionState::finished || state == SessionState::stopped ||
           state == SessionState::failed;
}

/// Shows the run's directory on the terminal while the run works.
class Watch {
public:
    explicit Watch(const std::filesystem::path& folder)
        : reader_(folder), sink_(makeSink("terminal", terminalPlace(folder))) {}

    void show() {
        for (bool isMore = true; isMore;) {
            const RunNews news = reader_.read();
            sink_->take(reader_, news);
            isMore = news.isMore;
        }
    }
    void finish() { sink_->finish(); }

private:
    RunReader reader_;
    std::unique_ptr<RunSink> sink_;
};

using Json = nlohmann::ordered_json;

std::string_view nameOf(SessionState state) {
    switch (state) {
    case SessionState::finished: return "finished";
    case SessionState::stopped: return "stopped";
    default: return "failed";
    }
}

/// Prints the outcome as JSON, the only text on the standard output.
void printJson(const SessionOutcome& outcome, const std::filesystem::path& directory) {
    Json evaluation = Json::object();
    for (const auto& [name, value] : outcome.evaluation) {
        evaluation[name] = value;
    }
    Json made{{"state", nameOf(outcome.state)},
              {"run", directory.empty() ? "" : std::filesystem::absolute(directory).string()},
              {"steps", outcome.steps},
              {"loss", outcome.loss},
              {"evaluation", std::move(evaluation)},
              {"message", outcome.message}};
    if (outcome.state == SessionState::failed) {
        made["cause"] = nameOf(outcome.code);
    }
    say("{}\n", made.dump(2, ' ', false, Json::error_handler_t::replace));
}

/// Prints the outcome; with several ranks, only one rank prints it.
int printOutcome(const SessionOutcome& outcome) {
    if (outcome.isOurs) {
        for (const auto& [name, value] : outcome.evaluation) {
            say("{} {:.4f}\n", name, value);
        }
        if (!outcome.message.empty()) {
            warn("{}", outcome.message);
        }
    }
    return outcome.state == SessionState::failed ? exitCodeOf(outcome.code) : success;
}

int follow(SessionRequest request, bool asJson) {
    countSignals();
    Session session(std::move(request));
    std::unique_ptr<Watch> watch;
    const auto watchIt = [&] {
        if (!watch && !asJson && !session.directory().empty()) {
            watch = std::make_unique<Watch>(session.directory());
        }
    };
    std::string waitsFor;
    int seen = 0;
    while (!hasEnded(session.state())) {
        if (signalCount() > seen) {
            seen = signalCount();
            session.stop();
        }
        if (const auto failure = session.failure();
            failure && failure->age > (seen > 0 ? patienceOnSignal : patience)) {
            leave(*failure);
        }
        if (session.state() == SessionState::running) {
            watchIt();
        }
        if (watch) {
            watch->show();
        }
        if (session.waitsFor() != waitsFor) {
            waitsFor = session.waitsFor();
            warn("{}", waitsFor.empty() ? "the run continues" : "the run waits: " + waitsFor);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    const SessionOutcome outcome = session.wait();
    if (outcome.state != SessionState::failed) {
        watchIt(); // the run may have started and ended between two polls
    }
    if (watch) {
        watch->show();
        watch->finish();
    }
    if (asJson) {
        if (outcome.isOurs) {
            printJson(outcome, session.directory());
        }
        return outcome.state == SessionState::failed ? exitCodeOf(outcome.code) : success;
    }
    return printOutcome(outcome);
}

struct RunOptions {
    std::string file;
    std::vector<std::string> devices;
    std::string backend;
    std::string runs = "runs";
    std::string run;
    std::string weights;
    std::vector<std::string> sinks;
    std::vector<std::string> data;
    RanksOptions ranks;
    RemoteRunOptions there;
    std::vector<std::string> settings;
    std::vector<std::string> observe;
    bool isHere = false;
    bool json = false;
};

void addCommon(Verb& verb, RunOptions& options) {
    addDeviceList(verb, options.devices, "devices to run on: cpu:0,cpu:1");
    verb.option("--backend", options.backend,
                "use this backend's kernels instead of the devices' own");
    verb.option("--data", options.data, "additional folder to search for the design's data files");
    verb.option("--sink", options.sinks, "besides metrics.jsonl and log.txt: tensorboard, trace")
        .separatedBy(',');
    addSettings(verb, options.settings);
    verb.flag("--json", options.json, "print only the result, as JSON");
}

SessionRequest requestFor(const RunOptions& options) {
    SessionRequest request;
    const std::filesystem::path file = options.file;
    request.design = readDesign(file, {options.settings, options.devices, options.data});
    request.file = file;
    request.folder = file.parent_path();
    request.data.assign(options.data.begin(), options.data.end());
    request.devices = options.devices;
    request.backend = options.backend;
    request.runs = options.runs;
    request.run = options.run;
    request.weights = options.weights;
    request.sinks = options.sinks;
    request.observe = options.observe;
    return request;
}

RunArguments whatRuns(const RunOptions& options) {
    return {.file = options.file,
            .settings = options.settings,
            .devices = options.devices,
            .data = options.data,
            .weights = options.weights,
            .ranks = options.ranks.ranks,
            .asJson = options.json};
}

/// Refuses options that apply only to the other kind of run (local or remote).
void refuseOf(const Verb& verb, const std::vector<std::string>& names, const char* why) {
    const std::vector<std::string> typed = verb.typed({});
    for (const std::string& name : names) {
        if (std::ranges::find(typed, name) != typed.end()) {
            throw Error(ErrorCode::usage, {}, name + " " + why, "leave the option out");
        }
    }
}

void refuseThere(const Verb& verb, const std::vector<std::string>& names) {
    refuseOf(verb, names, "does not apply to a run on another host");
}

void refuseHere(const Verb& verb) {
    refuseOf(verb, {"--data-there", "--send-data", "--nodes", "--cores", "--minutes", "--leave"},
             "applies only to a run on another host (--on)");
}

/// Fetches what a new run needs to continue from, and returns the folder of the local copy.
std::filesystem::path broughtHere(RunPlace& place, const RanksOptions& ranks) {
    place.updateCopy();
    place.fetchNewestCheckpoint();
    if (ranks.ranks > 0) { // otherwise each rank would fetch it
        throw Error(ErrorCode::usage, {}, "--ranks needs a run directory on this machine",
                    "the run was copied: weft resume " + place.folder().string());
    }
    return place.folder();
}

} // namespace

std::function<int()> addRun(CommandLine& line) {
    Verb verb = line.verb("run", "train a design and record the run in a run directory");
    auto options = std::make_shared<RunOptions>();
    verb.option("FILE", options->file, "the design").required();
    addCommon(verb, *options);
    verb.option("--runs", options->runs, "folder in which to create the run directory")
        .showsDefault();
    verb.option(
        "--run", options->run,
        "path of the run directory: new, empty, or of an earlier attempt without a checkpoint");
    verb.option("--weights", options->weights,
                "initial weights, a safetensors file with tensors named by layer");
    verb.option("--observe", options->observe,
                "layers whose values in the first steps are saved to the run's folder tensors/")
        .separatedBy(',');
    verb.footer("Ctrl-C finishes the current step, saves a checkpoint and prints how to resume. "
                "Example:\n  weft run design.weft --devices cpu:0,cpu:1 --set training.epochs=3");
    addRanks(verb, options->ranks);
    addRemoteRunOptions(verb, options->there);
    return [options, verb] {
        if (!options->there.host.empty()) {
            refuseThere(verb, {"--backend", "--sink", "--runs", "--run", "--observe", "--hosts"});
            return runOnHost(options->there, whatRuns(*options));
        }
        refuseHere(verb);
        // Reports problems of the design once, before the ranks start.
        SessionRequest request = requestFor(*options);
        if (options->ranks.ranks > 0) {
            requireRunnable(options->ranks, {options->file, request.design, options->devices});
            return runOnRanks(verb, options->ranks);
        }
        return follow(std::move(request), options->json);
    };
}

std::function<int()> addResume(CommandLine& line) {
    Verb verb = line.verb("resume", "resume a run from its last checkpoint");
    auto options = std::make_shared<RunOptions>();
    verb.option("RUN", options->file, "the run directory, or HOST:RUN").required();
    verb.footer("Uses the data, devices and backend of the run unless options change them; "
                "assignments\nmay change too. A run on another host resumes there; with --here it "
                "resumes on this\nmachine as a new run, and the run on the host stays unchanged. A "
                "local copy of a remote\nrun resumes the same way, from the newest checkpoint that "
                "was copied.\nExamples:\n  weft resume runs/2026-01-01_120000_lenet --set "
                "training.epochs=20\n  weft resume cluster:2026-01-01_120000_lenet --here");
    addCommon(verb, *options);
    verb.flag(
        "--here", options->isHere,
        "resume a remote run on this machine as a new run in runs/, from its newest checkpoint");
    verb.option("--run", options->run,
                "directory of the new run, if the run of another host resumes here");
    addRanks(verb, options->ranks);
    return [options, verb] {
        std::filesystem::path folder = options->file;
        if (RunPlace place(options->file); place.line() != nullptr) {
            if (!options->isHere) {
                refuseThere(verb, {"--backend", "--sink", "--data", "--hosts", "--run"});
                return resumeOnHost(place, whatRuns(*options));
            }
            folder = broughtHere(place, options->ranks);
        }
        const bool isCopy = copyOf(folder).has_value();
        if (folder == options->file) {
            refuseOf(verb, {"--here"}, "applies only to HOST:RUN");
        }
        if (!isCopy) {
            refuseOf(verb, {"--run"},
                     "applies only to a new run, and this run resumes in its own directory");
        }
        RunOptions given = *options;
        given.file = (folder / "design.weft").string();
        SessionRequest request = requestFor(given);
        if (options->ranks.ranks > 0) {
            requireRunnable(options->ranks, {given.file, request.design, options->devices});
            return runOnRanks(verb, options->ranks);
        }
        // A run of another host cannot be resumed in place.
        (isCopy ? request.from : request.resume) = folder;
        return follow(std::move(request), options->json);
    };
}

std::function<int()> addEval(CommandLine& line) {
    Verb verb = line.verb("eval", "run validation with given weights");
    auto options = std::make_shared<RunOptions>();
    verb.option("FILE", options->file, "the design").required();
    addCommon(verb, *options);
    verb.option("--weights", options->weights,
                "weights, a safetensors file with tensors named by layer")
        .required();
    verb.footer("Example: weft eval design.weft --weights "
                "runs/2026-01-01_120000_lenet/checkpoints/step-000000100.safetensors");
    return [options] {
        SessionRequest request = requestFor(*options);
        request.isEvaluation = true;
        return follow(std::move(request), options->json);
    };
}

} // namespace weft
