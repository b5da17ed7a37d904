// SPDX-License-Identifier: Apache-2.0
// weft show: shows a run's tensors and curves, and exports its events to other formats.
#include "command_line/command.h"
#include "command_line/say.h"
#include "command_line/verb.h"
#include "designs/designs.h"
#include "results/figures_text.h"
#include "results/recorded.h"
#include "runs/run_place.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>
#include <weft/error.h>
#include <weft/pictures.h>
#include <weft/sinks.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <stop_token>

namespace weft {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

struct ShowOptions {
    std::string run;
    std::vector<std::string> curves;
    std::string weights;
    std::string tensor;
    std::string series;
    std::string out;
    std::string trace;
    std::string tensorboard;
    bool json = false;
};

std::vector<MetricSeries> chosenCurves(const Run& run, const std::vector<std::string>& names) {
    std::vector<MetricSeries> chosen;
    std::vector<std::string> known;
    for (const MetricSeries& series : run.series) {
        known.push_back(series.metric.name);
        if (std::ranges::find(names, series.metric.name) != names.end()) {
            chosen.push_back(series);
        }
    }
    for (const std::string& name : names) {
        if (std::ranges::find(known, name) == known.end()) {
            throw Error(ErrorCode::usage, Where{.file = run.summary.folder.string()},
                        "has no metric \"" + name + "\"",
                        fmt::format("choose one of {}", fmt::join(known, ", ")));
        }
    }
    return chosen;
}

bool isArray(const std::string& file) { return fs::path(file).extension() == ".npy"; }

/// Shows the recorded rounds of a layer: the newest step as text, some steps as a picture, or all
/// steps as an array.
void showSeries(const fs::path& run, const ShowOptions& options) {
    constexpr std::size_t mostCurves = 8;
    const RecordedSeries series = readSeries(
        options.series,
        recordedStepsOf(run / "series", options.series,
                        "weft run FILE --set training.series_every=10 records every tenth step"));
    if (series.leftOut > 0) {
        warn("{} steps with a different shape are omitted", series.leftOut);
    }
    const std::string steps = fmt::format("{} steps, {} to {}", series.steps.size(),
                                          series.steps.front(), series.steps.back());
    if (isArray(options.out)) {
        saveTensor(series.numbers, options.out);
        say("{} {}: {} written to {}\n", series.numbers.name, toString(series.numbers.shape), steps,
            printable(options.out));
    } else if (!options.out.empty()) {
        savePicture(curves(meanCurves(series, mostCurves)), options.out);
        say("{}: curves over iterations written to {}\n", series.numbers.name,
            printable(options.out));
    } else {
        say("{}{}\n", curveText(meanCurves(series, 1).front()), steps);
    }
}

/// Writes a picture or an array if a file is named; otherwise prints the distribution of the
/// numbers as text.
void showNumbers(const TensorNumbers& tensor, const std::string& out) {
    if (!out.empty()) {
        isArray(out) ? saveTensor(tensor, out) : savePicture(mosaic(tensor), out);
        say("{} written to {}\n", tensor.name, out);
        return;
    }
    const Histogram spread = histogram(tensor, 16);
    say("{} [{}]: {:.4g} to {:.4g}{}\n", tensor.name, fmt::join(tensor.shape, ", "), spread.least,
        spread.most, spread.notFinite > 0 ? fmt::format(", {} not finite", spread.notFinite) : "");
    const std::int64_t most = std::max<std::int64_t>(1, *std::ranges::max_element(spread.counts));
    const double width = (spread.most - spread.least) / static_cast<double>(spread.counts.size());
    for (std::size_t k = 0; k < spread.counts.size(); ++k) {
        say("{:>12.4g} {:>10} {}\n", spread.least + static_cast<double>(k) * width,
            spread.counts[k],
            std::string(static_cast<std::size_t>(50 * spread.counts[k] / most), '#'));
    }
}

/// True if the run's design has a layer with a dictionary; false if the design cannot be read.
bool hasDictionary(const fs::path& run) {
    const std::vector<LayerKindInfo> kinds = catalogue();
    const auto isOne = [&](const Layer& layer) {
        const LayerKindInfo* kind = findKind(kinds, layer.kind);
        return kind != nullptr && dictionaryOf(*kind) != nullptr;
    };
    try {
        const Design design = loadDesign(run / "design.weft", kinds).design;
        return std::ranges::any_of(design.network.layers, isOne) ||
               std::ranges::any_of(design.groups, [&](const GroupDefinition& group) {
                   return std::ranges::any_of(group.network.layers, isOne);
               });
    } catch (const Error&) {
        return false;
    }
}

/// Returns the figures of the newest checkpoint's dictionaries. If they cannot be read, everything
/// else is still shown.
std::vector<DictionaryFigures> dictionariesOf(const Run& run) {
    const fs::path& folder = run.summary.folder;
    if (run.checkpoints.empty() || !hasDictionary(folder)) {
        return {};
    }
    try {
        const Design design = loadDesign(folder / "design.weft", catalogue()).design;
        return dictionariesIn(checkpointOf(folder), design);
    } catch (const Error& error) {
        warn("dictionaries are not shown: {}", error.what());
        return {};
    }
}

std::string firstNumberOf(const Run& run) {
    const bool isEnergy =
        run.summary.figures && run.summary.figures->best && run.summary.figures->best->isEnergy;
    return isEnergy ? "energy" : "loss";
}

void showCurves(const Run& run, const ShowOptions& options) {
    const std::vector<MetricSeries> chosen =
        chosenCurves(run, options.curves.empty() ? std::vector<std::string>{firstNumberOf(run)}
                                                 : options.curves);
    if (!options.out.empty()) {
        if (isArray(options.out)) {
            throw Error(ErrorCode::usage, Where{.file = options.out},
                        "is an array file, and curves are written as a picture",
                        "name a .png file; --json prints the numbers");
        }
        savePicture(curves(chosen), options.out);
        say("{} curves written to {}\n", chosen.size(), printable(options.out));
        return;
    }
    for (const MetricSeries& series : chosen) {
        say("{}", curveText(series));
    }
    if (options.curves.empty()) {
        say("{}", print(run.summary.figures.value_or(RunFigures()), run.summary.devices));
        for (const DictionaryFigures& one : dictionariesOf(run)) {
            say("{}", print(one));
        }
    }
}

void printJson(const Run& run) {
    Json series = Json::array();
    for (const MetricSeries& each : run.series) {
        series.push_back({{"metric", each.metric.name},
                          {"split", each.split == Split::train ? "train" : "evaluate"},
                          {"steps", each.steps},
                          {"values", each.values}});
    }
    Json checkpoints = Json::array();
    for (const RunFile& file : run.checkpoints) {
        checkpoints.push_back({{"step", file.step}, {"path", file.path}});
    }
    Json dictionaries = Json::array();
    for (const DictionaryFigures& one : dictionariesOf(run)) {
        dictionaries.push_back(jsonOf(one));
    }
    Json made{{"name", run.summary.name},
              {"state", nameOf(run.summary.state)},
              {"attempts", run.summary.attempts},
              {"cause", run.summary.cause}};
    addFigures(made, run.summary.figures.value_or(RunFigures()), run.summary.devices);
    made["series"] = std::move(series);
    made["checkpoints"] = std::move(checkpoints);
    made["dictionaries"] = std::move(dictionaries);
    Json rounds = Json::array();
    for (const auto& [name, recorded] : recordedValuesIn(run.summary.folder / "series")) {
        Json steps = Json::array();
        for (const RecordedStep& one : recorded) {
            steps.push_back(one.step);
        }
        rounds.push_back({{"name", name}, {"steps", std::move(steps)}});
    }
    made["rounds"] = std::move(rounds);
    say("{}\n", made.dump());
}

/// Writes the run for TensorBoard, complete or up to the latest step.
void writeTensorboard(const fs::path& run, const fs::path& folder) {
    std::error_code fault;
    fs::create_directories(folder, fault);
    if (fault) {
        throw Error(ErrorCode::file, Where{.file = folder.string()},
                    "cannot create the folder: " + fault.message(), "name another folder");
    }
    SinkPlace place;
    place.folder = folder;
    const std::unique_ptr<RunSink> sinks[] = {makeSink("tensorboard", place)};
    RunReader reader(run);
    std::stop_source asFarAsItIs;
    asFarAsItIs.request_stop();
    followRun(reader, sinks, asFarAsItIs.get_token(), [](const Error& error) { throw error; });
    say("TensorBoard files written to {}\n", printable(folder.string()));
}

/// Opens the run and prints a warning if its log is incomplete.
Run opened(const fs::path& folder) {
    Run run = openRun(folder);
    if (run.damagedBytes > 0) {
        warn("{}: {} bytes of its log are damaged; their events are not shown",
             printable(folder.string()), run.damagedBytes);
    }
    return run;
}

bool isAnyFileAsked(const ShowOptions& options) {
    return !options.trace.empty() || !options.tensorboard.empty() || !options.tensor.empty() ||
           !options.series.empty() || !options.weights.empty();
}

/// Fetches the files to show from a run on another host.
void bringWhatIsShown(RunPlace& place, const ShowOptions& options) {
    const auto isOf = [](const std::string& path, const char* folder, const std::string& name) {
        return !name.empty() && path.starts_with(folder) && path.ends_with("." + name + ".npy");
    };
    place.fetchFiles([&](const std::string& path) {
        return isOf(path, "tensors/", options.tensor) || isOf(path, "series/", options.series);
    });
    const bool looksIntoWeights =
        !options.weights.empty() || (hasDictionary(place.folder()) && !isAnyFileAsked(options));
    if (looksIntoWeights) {
        place.fetchNewestCheckpoint();
    }
}

int show(const ShowOptions& options) {
    RunPlace place(options.run);
    place.updateCopy(!options.trace.empty());
    bringWhatIsShown(place, options);
    const fs::path& folder = place.folder();
    std::error_code none;
    if (!fs::is_directory(folder, none)) {
        throw Error(ErrorCode::file, Where{.file = options.run}, "is not a run directory",
                    "name a run that weft runs lists");
    }
    bool isDone = false;
    if (!options.trace.empty()) {
        const Timeline timeline = readTimeline(folder, 0, std::numeric_limits<std::int64_t>::max());
        writeTrace(timeline, options.trace);
        say("trace written to {}; open it with Perfetto\n", printable(options.trace));
        if (timeline.clockError.count > 0) {
            say("the clocks of the ranks differ; their offsets were measured with an error of {}\n",
                toString(timeline.clockError));
        }
        isDone = true;
    }
    if (!options.tensorboard.empty()) {
        writeTensorboard(folder, options.tensorboard);
        isDone = true;
    }
    if (!options.tensor.empty()) {
        const auto steps =
            recordedStepsOf(folder / "tensors", options.tensor,
                            "weft tell RUN observe LAYER records the values of a layer");
        showNumbers(readTensor(steps.back().file), options.out);
        isDone = true;
    }
    if (!options.series.empty()) {
        showSeries(folder, options);
        isDone = true;
    }
    if (!options.weights.empty()) {
        showNumbers(readTensor(checkpointOf(folder), options.weights), options.out);
        isDone = true;
    }
    if (options.json) {
        printJson(opened(folder));
    } else if (!isDone || !options.curves.empty()) {
        showCurves(opened(folder), options);
    }
    return success;
}

} // namespace

std::function<int()> addShow(CommandLine& line) {
    Verb verb = line.verb(
        "show", "show curves and tensors of a run, or export its trace or TensorBoard files");
    verb.footer("Without options: the loss curve, the step time, the best loss and the memory per "
                "device. For lca layers also the share of atoms that are oriented, localized and "
                "band-pass, compared with atoms of white noise (at the 95th percentile).\nExample: "
                "weft show runs/2026-01-01_120000_lenet --weights conv1.weight --out filters.png");
    auto options = std::make_shared<ShowOptions>();
    verb.option("RUN", options->run, "the run directory, or HOST:RUN").required();
    verb.option("--curve", options->curves, "metrics to plot: loss,accuracy").separatedBy(',');
    const Option weights = verb.option("--weights", options->weights,
                                       "a tensor of the newest checkpoint: conv1.weight");
    Option tensor =
        verb.option("--tensor", options->tensor, "an observed value: conv1.y, conv1.y.gradient");
    tensor.excludes(weights);
    Option series =
        verb.option("--series", options->series,
                    "a value per iteration recorded by training.series_every: code.energies");
    series.excludes(weights);
    series.excludes(tensor);
    verb.option("--out", options->out, "write a PNG image (or a .npy array) instead of printing");
    verb.option("--trace", options->trace,
                "write the spans as a Chrome trace, which Perfetto opens");
    verb.option("--tensorboard", options->tensorboard,
                "write TensorBoard event files to this folder");
    verb.flag("--json", options->json,
              "print curves, checkpoints, dictionaries and observed steps as JSON");
    return [options] { return show(*options); };
}

} // namespace weft
