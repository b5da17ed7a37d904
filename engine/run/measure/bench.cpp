// SPDX-License-Identifier: Apache-2.0
#include "base/text/json.h"
#include "compile/host_share.h"
#include "data/arrays/safetensors.h"
#include "data/first_examples.h"
#include "run/train/agreement.h"
#include "run/train/training_run.h"
#include <weft/devices.h>
#include <weft/error.h>
#include <weft/launch.h>
#include <weft/measure.h>

#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include <algorithm>

namespace weft {

namespace {

std::int64_t medianOf(std::vector<std::int64_t> values) {
    if (values.empty()) {
        return 0;
    }
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

/// Records the steps' results. All memory is allocated before the first step.
class Stopwatch final : public TrainerListener {
public:
    Stopwatch(BenchResult& result, std::int64_t warmup, std::int64_t steps, const WorkerPool& pool)
        : result_(result), warmup_(warmup) {
        result_.losses.reserve(static_cast<std::size_t>(warmup + steps));
        result_.learningRates.reserve(static_cast<std::size_t>(warmup + steps));
        result_.seconds.reserve(static_cast<std::size_t>(steps));
        for (std::size_t worker = 0; worker < pool.size(); ++worker) {
            times_.emplace_back(pool.program(worker, 0).timings().size());
            for (auto& ofStep : times_.back()) {
                ofStep.reserve(static_cast<std::size_t>(steps));
            }
        }
    }

    void onStep(const StepReport& report, const WorkerPool& pool, std::size_t member) override {
        result_.losses.push_back(report.loss);
        result_.learningRates.push_back(report.learningRate);
        if (report.step <= warmup_) {
            return;
        }
        result_.seconds.push_back(report.seconds);
        for (std::size_t worker = 0; worker < times_.size() && member == 0; ++worker) {
            const BoundProgram& program = pool.program(worker, member);
            const std::vector<SpanTime>& spans = program.timings();
            for (std::size_t k = 0; k < spans.size() && program.isTimed(); ++k) {
                times_[worker][k].push_back(spans[k].end - spans[k].begin);
            }
        }
    }
    /// True for some steps only: the others run as in a run without observers.
    [[nodiscard]] bool wantsTimes(std::int64_t step) const override {
        constexpr std::int64_t oneIn = 4;
        return step == warmup_ + 1 || step % oneIn == 0;
    }
    void onEvaluation(const StepReport&) override {}
    void onCheckpoint(std::int64_t, const std::string&) override {}
    void onMessage(const std::string&) override {}

    /// Returns the times of each training step, by worker and step of its program.
    [[nodiscard]] const auto& times() const { return times_; }

private:
    BenchResult& result_;
    std::int64_t warmup_;
    std::vector<std::vector<std::vector<std::int64_t>>> times_;
};

OpTime opTimeOf(const Program& program, const Step& step, std::int64_t median) {
    const Graph& graph = *program.plan->graph;
    OpTime time{.layer = graph.layerName(step.origin),
                .op = step.name,
                .implementation = step.implementation,
                .median = {median},
                .flops = step.flops};
    if (!step.node.isNone()) {
        const PlanNode& node = program.plan->at(step.node);
        if (!node.node.isNone()) {
            time.op = step.isHostFallback() ? time.op : graph.at(node.node).op->name;
            time.pass = graph.at(node.node).pass;
        }
    }
    return time;
}

std::vector<OpTime> opTimes(const WorkerPool& pool, const Stopwatch& watch) {
    std::vector<OpTime> ops;
    for (std::size_t worker = 0; worker < pool.size(); ++worker) {
        const Program& program = pool.program(worker, 0).program();
        for (std::size_t k = 0; k < program.steps.size(); ++k) {
            OpTime time = opTimeOf(program, program.steps[k], medianOf(watch.times()[worker][k]));
            const auto same = std::ranges::find_if(ops, [&](const OpTime& known) {
                return worker > 0 && known.layer == time.layer && known.op == time.op &&
                       known.pass == time.pass;
            });
            if (same == ops.end()) {
                ops.push_back(std::move(time));
            } else if (time.median > same->median) {
                *same = std::move(time);
            }
        }
    }
    std::ranges::stable_sort(ops, std::ranges::greater{}, &OpTime::median);
    return ops;
}

void writeData(const std::filesystem::path& path, const Source& source) {
    std::vector<TensorHeading> tensors;
    for (const Field& field : source.fields()) {
        Shape shape{source.size()};
        shape.insert(shape.end(), field.shape.begin(), field.shape.end());
        tensors.push_back({field.name, field.dtype, std::move(shape)});
    }
    SafetensorsWriter writer(path, tensors);
    for (std::size_t field = 0; field < source.fields().size(); ++field) {
        std::vector<std::byte> example(exampleBytes(source.fields()[field]));
        for (std::int64_t k = 0; k < source.size(); ++k) {
            source.read(std::span(&k, 1), field, example);
            writer.write(example);
        }
    }
    writer.finish();
}

void refuseNonsense(const BenchRequest& request) {
    if (request.steps < 1 || request.warmup < 0 || request.batches < 1 || request.threads < 0) {
        throw Error(ErrorCode::usage, {}, "a benchmark needs steps, batches and threads",
                    "give at least 1 step, 1 batch and 1 thread");
    }
}

/// Returns the design with a fixed number of steps, data in order, and nothing that interrupts the
/// steps.
Design measured(const BenchRequest& request) {
    Design design = request.design;
    TrainingSettings& training = design.training;
    training.steps = request.warmup + request.steps;
    training.epochs = training.seconds = 0;
    training.targetMetric.clear();
    training.checkpointEvery = training.evaluateEvery = training.steps + 1;
    training.seriesEvery = 0;
    design.data.order = "file";
    design.data.lastBatch = "drop";
    return design;
}

void summarise(BenchResult& result, const TrainingRun& run, const WorkerPool& pool) {
    std::vector<double> sorted = result.seconds;
    std::ranges::sort(sorted);
    result.median = sorted[sorted.size() / 2];
    result.fastest = sorted.front();
    for (std::size_t worker = 0; worker < pool.size(); ++worker) {
        const Program& program = pool.program(worker, 0).program();
        result.planned += program.slotSize + program.workSize;
    }
    result.batch = run.programSet().members.front().request.batch;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    result.mostResident = static_cast<double>(usage.ru_maxrss) / 1024;
}

} // namespace

BenchResult bench(const BenchRequest& request) {
    refuseNonsense(request);
    const Design design = measured(request);
    const auto registry = makeRegistry();
    BenchResult result{.design = design.name};
    const std::unique_ptr<World> world = joinWorld();
    const RankSpread spread = spreadOver(devicesOnRanks(design, request.devices, world->ranks()),
                                         world->ranks(), world->rank());
    const RunParticipant party = participantOf(*world, spread, broadcastMachine(*world));
    result.threads = request.threads == 0 ? coresOf(party.links.machine.devices) : request.threads;
    result.devices = spread.devices;
    result.rank = world->rank();
    RunRequest wanted{
        .design = &design, .registry = registry.get(), .devices = spread.devices, .local = {}};
    for (const DeviceId device : spread.local) {
        wanted.local.push_back(device.value);
    }
    wanted.cores = result.threads;
    wanted.backend = request.backend;
    wanted.folders = {request.folder, request.data};
    wanted.weights = request.weights;
    wanted.party = &party;
    SourcePointer held;
    wanted.adapt = [&](Data& data) {
        held = loadFirstExamples(data.training, request.batches * design.data.batch);
        data = {.training = held};
    };
    TrainingRun run(std::move(wanted));
    if (!request.record.empty()) {
        std::filesystem::create_directories(request.record);
        saveCheckpoint(request.record / "weights.safetensors", run.pool(), {}, party.rank,
                       party.fetch);
        if (party.rank == 0) {
            writeData(request.record / "data.safetensors", *held);
        }
    }
    Stopwatch watch(result, request.warmup, request.steps, run.pool());
    run.addListener(watch);
    ensureFinite(run.train());
    result.remarks = run.remarks();
    result.ops = opTimes(run.pool(), watch);
    summarise(result, run, run.pool());
    return result;
}

std::string toJson(const BenchResult& result, const std::string& version, bool withOps) {
    const MachineSheet machine = thisMachine();
    Json json = {{"bench", "step"},
                 {"version", version},
                 {"machine", machine.devices.empty() ? "" : machine.devices.front().model},
                 {"design", result.design},
                 {"batch", result.batch},
                 {"threads", result.threads},
                 {"devices", result.devices},
                 {"steps", result.seconds.size()},
                 {"median_ms", result.median * 1e3},
                 {"fastest_ms", result.fastest * 1e3},
                 {"examples_per_second", static_cast<double>(result.batch) / result.median},
                 {"planned_mib", static_cast<double>(result.planned.count) / (1 << 20)},
                 {"resident_mib", result.mostResident},
                 {"losses", result.losses},
                 {"learning_rates", result.learningRates}};
    for (const OpTime& op : withOps ? result.ops : std::vector<OpTime>{}) {
        const auto nanoseconds = static_cast<double>(std::max<std::int64_t>(1, op.median.count));
        json["ops"].push_back({{"layer", op.layer},
                               {"op", op.op},
                               {"pass", nameOf(op.pass)},
                               {"kernel", op.implementation},
                               {"ms", nanoseconds * 1e-6},
                               {"gflops", static_cast<double>(op.flops.count) / nanoseconds}});
    }
    return jsonText(json);
}

} // namespace weft
