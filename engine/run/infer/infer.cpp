// SPDX-License-Identifier: Apache-2.0
#include "comm/world.h"
#include "compile/spread.h"
#include "data/arrays/npy.h"
#include "lower/check_settings.h"
#include "run/execute/feeder.h"
#include "run/execute/step_runner.h"
#include "run/infer/infer_inputs.h"
#include "run/train/open_workers.h"
#include "run/train/party.h"
#include "run/train/training_run.h"
#include <weft/error.h>
#include <weft/infer.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <set>

namespace weft {

namespace {

std::vector<std::string> classNamesOf(const InferenceRequest& request, const Registry& registry) {
    try {
        return describeData(request.design.data, {request.folder, request.others}, registry.sources)
            .classNames;
    } catch (const Error&) {
        // The training data need not be available.
        return {};
    }
}

/// A design prepared for inference on a fixed number of examples at a time.
class Application {
public:
    Application(const InferenceRequest& request, const Registry& registry)
        : request_(request),
          registry_(registry),
          world_(makeLoneWorld(false)),
          expanded_(expand(request.design, registry.kinds)) {
        refuseErrors(expanded_.problems);
        // The source of the training data need not be known any more.
        std::vector<SettingInfo> settings = registry.settings;
        std::erase_if(settings,
                      [](const SettingInfo& each) { return each.key() == "data.source"; });
        refuseErrors(checkSettings(request.design, settings));
        spread_ = spreadOver(devicesOf(request.design, request.devices), 1, 0);
        party_ = participantOf(*world_, spread_, thisMachine());
    }

    InferenceResult run() {
        InferenceResult inference;
        makeMembers({1});
        const SourcePointer source = openInputs(request_, forms(), registry_);
        DataSettings byName = request_.design.data;
        byName.feeds.clear();
        const std::int64_t sets = setsOfElements();
        const bool goesByElement = sets > 0 && !request_.element;
        if (goesByElement) {
            byName.batch = sets;
        } else if (needsFullBatches(*programSet_.members.front().plan->graph)) {
            byName.batch = 1; // a film: each frame depends on the one before
        }
        const Batcher batcher = evaluationBatcher(
            byName, source->size(), {}, goesByElement ? LastBatch::wrap : LastBatch::keep);
        makeMembers(batcher.rowCounts());
        open();
        inference.examples = source->size();
        inference.classNames = classNamesOf(request_, registry_);
        StepRunner runner(programSet_, *pool_);
        Feeder feeder(byName, *pool_, source, batcher, runner.variantsByRows(Mode::infer));
        feeder.start({}, batcher.stepsPerEpoch());
        for (std::int64_t step = 0; step < batcher.stepsPerEpoch(); ++step) {
            const auto [batch, member] = feeder.next();
            runner.setArguments(member, 0, 0, 0);
            pool_->run(member, false);
            append(inference, member);
        }
        for (InferenceOutput& output : inference.outputs) {
            cut(output, source->size()); // removes the rows that filled up the last batch
        }
        return inference;
    }

private:
    /// Returns the inputs that the outputs need, with their positions among all inputs of the
    /// training.
    [[nodiscard]] std::vector<ExampleForm> forms() const {
        const Graph& graph = *programSet_.members.front().plan->graph;
        const Lowered trained = lower(expanded_, registry_.layers, registry_.ops,
                                      {.name = "evaluate", .mode = Mode::evaluate, .batch = 1});
        std::vector<std::string> all;
        for (const Feed& feed : trained.graph.feeds) {
            if (feed.kind == FeedKind::data) {
                all.push_back(feed.name);
            }
        }
        std::vector<ExampleForm> forms;
        for (const Feed& feed : graph.feeds) {
            if (feed.kind == FeedKind::data) {
                const Value& value = graph.at(feed.value);
                forms.push_back({.layer = feed.name,
                                 .dtype = value.dtype,
                                 .shape = Shape(value.shape.begin() + 1, value.shape.end()),
                                 .place = static_cast<std::size_t>(
                                     std::ranges::find(all, feed.name) - all.begin())});
            }
        }
        return forms;
    }

    /// Returns the number of batch elements with own weights; 0: all examples share one set.
    [[nodiscard]] std::int64_t setsOfElements() const {
        const Graph& graph = *programSet_.members.front().plan->graph;
        const std::int64_t sets = batchElementsIn(request_.weights, graph);
        if (request_.element && sets == 0) {
            throw Error(ErrorCode::usage, {},
                        fmt::format("--element {} is given, but no layer has per_element weights",
                                    *request_.element),
                        "leave the option out");
        }
        if (request_.element && (*request_.element < 0 || *request_.element >= sets)) {
            throw Error(
                ErrorCode::usage, Where{.file = request_.weights.string()},
                fmt::format("contains weights for {} batch elements, but --element {} is given",
                            sets, *request_.element),
                fmt::format("use an element from 0 to {}", sets - 1));
        }
        return sets;
    }

    static void cut(InferenceOutput& output, std::int64_t examples) {
        if (output.shape.front() > examples) {
            output.numbers.resize(output.numbers.size() /
                                  static_cast<std::size_t>(output.shape.front()) *
                                  static_cast<std::size_t>(examples));
            output.shape.front() = examples;
        }
    }

    void makeMembers(const std::vector<std::int64_t>& rows) {
        ProgramSetRequest wanted{.design = &request_.design,
                                 .expanded = &expanded_,
                                 .ops = &registry_.ops,
                                 .layers = &registry_.layers,
                                 .optimizers = &registry_.optimizers,
                                 .devices = spread_.devices,
                                 .machine = party_.links.machine,
                                 .members = {}};
        for (const std::int64_t count : rows) {
            wanted.members.push_back({Mode::infer, count});
        }
        programSet_ = makeProgramSet(wanted);
        refuseErrors(programSet_.problems);
        if (programSet_.members.front().plan->graph->results.empty()) {
            throw Error(ErrorCode::design, {}, "no layer of the design has an output to print",
                        "add a layer whose output only losses, or no layer, reads");
        }
    }

    void open() {
        RunRequest wanted{
            .design = &request_.design, .registry = &registry_, .devices = spread_.devices};
        for (const DeviceId device : spread_.local) {
            wanted.local.push_back(device.value);
        }
        wanted.backend = request_.backend;
        wanted.party = &party_;
        pool_ = openWorkers(wanted, programSet_);
        initialiseSlots(*pool_, static_cast<std::uint64_t>(request_.design.training.seed));
        const std::vector<std::string> missing =
            loadWeights(request_.weights, *pool_, request_.element.value_or(0)).missing;
        if (!missing.empty()) {
            throw Error(ErrorCode::format, Where{.file = request_.weights.string()},
                        fmt::format("holds no {}", fmt::join(missing, ", ")),
                        "name weights that were trained with this design");
        }
    }

    void append(InferenceResult& inference, std::size_t member) const {
        const Graph& graph = *programSet_.members[member].plan->graph;
        for (std::size_t r = 0; r < graph.results.size(); ++r) {
            const Value& value = graph.at(graph.results[r].value);
            const auto known =
                std::ranges::find(inference.outputs, graph.results[r].name, &InferenceOutput::name);
            InferenceOutput& output = known != inference.outputs.end()
                                          ? *known
                                          : inference.outputs.emplace_back(InferenceOutput{
                                                graph.results[r].name, value.shape, {}});
            appendWhole(output, member, r, value);
            output.shape.front() = static_cast<std::int64_t>(output.numbers.size()) /
                                   (elementsOf(value.shape) / value.shape.front());
        }
    }

    void appendWhole(InferenceOutput& output, std::size_t member, std::size_t result,
                     const Value& value) const {
        for (std::size_t w = 0; w < pool_->size(); ++w) {
            const ProgramPort& port = pool_->program(w, member).program().results[result];
            if (!port.isHeld) {
                continue;
            }
            ensure(port.part.shape == value.shape, "an output is replicated on every device");
            std::vector<std::byte> bytes(static_cast<std::size_t>(port.buffer.size.count));
            pool_->copyOut(w, member, port.buffer, bytes.data());
            const auto count = static_cast<std::size_t>(port.part.elements());
            const std::size_t before = output.numbers.size();
            output.numbers.resize(before + count);
            convertElements(value.dtype, bytes.data(), DType::f32,
                            reinterpret_cast<std::byte*>(output.numbers.data() + before),
                            port.part.elements());
            return;
        }
        ensure(false, "a device of this process holds the output");
    }

    const InferenceRequest& request_;
    const Registry& registry_;
    std::unique_ptr<World> world_;
    RankSpread spread_;
    RunParticipant party_;
    ExpandedDesign expanded_;
    ProgramSet programSet_;
    std::unique_ptr<WorkerPool> pool_;
};

} // namespace

InferenceResult infer(const InferenceRequest& request) {
    const auto registry = makeRegistry();
    return Application(request, *registry).run();
}

std::vector<ClassGuess> likeliestClasses(const InferenceResult& inference,
                                         const InferenceOutput& output, std::int64_t example,
                                         std::size_t count) {
    if (output.shape.size() != 2 || output.shape[1] < 2) {
        return {};
    }
    const auto classes = static_cast<std::size_t>(output.shape[1]);
    const float* scores = output.numbers.data() + static_cast<std::size_t>(example) * classes;
    std::vector<double> shares(scores, scores + classes);
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    const bool areShares =
        std::ranges::all_of(shares, [](double x) { return x >= 0; }) && std::abs(sum - 1) < 1e-3;
    if (!areShares) {
        const double top = *std::ranges::max_element(shares);
        double whole = 0;
        for (double& x : shares) {
            x = std::exp(x - top);
            whole += x;
        }
        std::ranges::for_each(shares, [whole](double& x) { x /= whole; });
    }
    std::vector<std::size_t> order(classes);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order,
                             [&](std::size_t a, std::size_t b) { return shares[a] > shares[b]; });
    std::vector<ClassGuess> guesses;
    for (std::size_t k = 0; k < std::min(count, classes); ++k) {
        const std::size_t index = order[k];
        guesses.push_back({static_cast<std::int64_t>(index),
                           index < inference.classNames.size() ? inference.classNames[index]
                                                               : std::to_string(index),
                           shares[index]});
    }
    return guesses;
}

void saveOutput(const InferenceOutput& output, const std::filesystem::path& file) {
    writeNpy(file, DType::f32, output.shape, std::as_bytes(std::span(output.numbers)));
}

} // namespace weft
