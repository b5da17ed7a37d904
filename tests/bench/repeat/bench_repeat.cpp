// SPDX-License-Identifier: Apache-2.0
// usage: bench_repeat [features [side]]
// Iterations as those of sparse coding, forward and backward, as one step of a program and with
// every round laid out: what place and schedule take, by number of rounds, and what a step takes of
// 1 core. A line of JSON per figure.
#include "../thread_time.h"
#include "backends/backends.h"
#include "graph/repeat.h"
#include "ops/ops.h"
#include "optimizers/optimizers.h"
#include "place/place.h"
#include "place/unroll.h"
#include "run/checkpoint/checkpoint.h"
#include "run/execute/worker_pool.h"
#include "schedule/predict/simulate.h"
#include "schedule/schedule.h"
#include "transform/differentiate.h"
#include "transform/optimize_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace weft::bench {
namespace {

constexpr std::int64_t batch = 8;
constexpr std::int64_t channels = 3;

OpList allOps() {
    OpList list;
    ops::fill(list);
    return list;
}

/// u = 0.9 u + 0.1 (relu(u) + encode(x - decode(relu(u)))); the energies of all rounds.
struct Coding {
    Coding(std::int64_t features, std::int64_t side, std::int64_t rounds) {
        Builder builder(graph, ops);
        graph.name = "train";
        builder.setOrigin({LayerId{1}, 0});
        graph.layerNames[{LayerId{1}, 0}] = "lca";
        const ValueId x =
            builder.addFeed("x", FeedKind::data, DType::f32, {batch, channels, side, side});
        const ValueId u =
            builder.addFeed("u", FeedKind::data, DType::f32, {batch, features, side, side});
        const ValueId encode = parameter(builder, "lca.encode", {features, channels, 5, 5});
        const ValueId decode = parameter(builder, "lca.decode", {channels, features, 5, 5});
        auto body = std::make_shared<Graph>();
        Builder inside(*body, ops);
        inside.setOrigin(builder.origin());
        const auto operand = [&](ValueId like) {
            return addBodyInput(*body, DType::f32, builder.shape(like));
        };
        const ValueId potential = operand(u);
        const ValueId picture = operand(x);
        const ValueId in = operand(encode);
        const ValueId out = operand(decode);
        const Attributes padded{{"padding", Shape{2, 2, 2, 2}}};
        const ValueId code = inside.add("relu", {potential});
        const ValueId residual =
            inside.add("subtract", {picture, inside.add("conv2d", {code, out}, padded)});
        const ValueId pulled =
            inside.add("add", {code, inside.add("conv2d", {residual, in}, padded)});
        const auto scaled = [&](ValueId value, double factor) {
            return inside.add("scale", {value}, {{"factor", factor}});
        };
        const ValueId next = inside.add("add", {scaled(potential, 0.9), scaled(pulled, 0.1)});
        const ValueId energy =
            inside.add("sum_all", {inside.add("multiply", {residual, residual})});
        setBodyOutputs(inside, {next, energy}, 1);
        const auto made = addRepeat(builder, body, {u, x, encode, decode},
                                    {.count = rounds, .carried = 1, .collected = 1});
        const ValueId loss = builder.add("sum_all", {made[1]});
        graph.results.push_back({"loss", ResultKind::total, loss, builder.origin()});
        differentiate(graph, ops, loss);
        OptimizerList known;
        optimizers::fill(known);
        appendUpdate(graph, ops, known, {});
    }

    static ValueId parameter(Builder& builder, const std::string& name, Shape shape) {
        return builder.valueOf(
            builder.addSlot({.name = name,
                             .shape = std::move(shape),
                             .initialiser = {"normal", {{"mean", 0.0}, {"deviation", 0.02}}},
                             .origin = {},
                             .value = {}}));
    }

    OpList ops = allOps();
    Graph graph;
};

void report(const char* row, std::int64_t rounds, double ms, const std::string& more = {}) {
    fmt::print("{{\"bench\": \"repeat\", \"row\": \"{}\", \"rounds\": {}, \"ms\": {:.3f}{}}}\n",
               row, rounds, ms, more);
    std::fflush(stdout);
}

double stepOf(const BackendList& backends, const Program& program) {
    const Backend& cpu = *backends.find("cpu");
    std::vector<LocalDevice> devices;
    devices.push_back({DeviceId{0}, "cpu:0", &cpu, cpu.open("cpu:0", 1), 1});
    WorkerPool pool(std::move(devices), nullptr, true);
    pool.prepare([&](const LocalDevice&) { return std::vector<Program>{program}; });
    initialiseSlots(pool, 1);
    double best = 0;
    for (int k = 0; k < 4; ++k) {
        const double ms = millisecondsOf([&] { pool.run(0); });
        best = k == 1 ? ms : std::min(best, ms); // the first touches its memory
    }
    return best;
}

void measure(std::int64_t features, std::int64_t side, std::int64_t rounds, UnrollScope laying,
             bool runs) {
    const Coding coding(features, side, rounds);
    const auto graph = std::make_shared<const Graph>(coding.graph);
    PlacementRequest request{.devices = {"cpu:0"}};
    std::shared_ptr<const Plan> plan;
    const double placing = millisecondsOf(
        [&] { plan = std::make_shared<const Plan>(place(graph, coding.ops, request).plan); });
    BackendList backends;
    backends::fill(backends);
    ScheduleRequest wanted;
    wanted.fallback = &backends.find("reference")->kernels;
    KernelChoiceCache choices;
    wanted.choices = &choices;
    DeviceSheet sheet;
    sheet.name = "cpu:0";
    Program program;
    const auto compile = [&] {
        program =
            schedule(unrolled(plan, laying), DeviceId{0}, *backends.find("cpu"), sheet, wanted);
        const Program* const one = &program;
        (void)simulate({&one, 1}, allDistinct(1));
    };
    const double first = millisecondsOf(compile);
    const double again = millisecondsOf(compile);
    const std::string way = laying == UnrollScope::all ? "laid out" : "one step";
    report("place", rounds, placing);
    report(("schedule, " + way).c_str(), rounds, first,
           fmt::format(R"(, "ms_again": {:.3f}, "steps": {}, "work_bytes": {})", again,
                       program.steps.size(), program.workSize.count));
    if (runs) {
        report(("step, " + way).c_str(), rounds, stepOf(backends, program));
    }
}

} // namespace
} // namespace weft::bench

int main(int argc, char** argv) {
    using namespace weft;
    const std::int64_t features = argc > 1 ? std::atoll(argv[1]) : 32;
    const std::int64_t side = argc > 2 ? std::atoll(argv[2]) : 16;
    for (const std::int64_t rounds : {10, 50}) {
        bench::measure(features, side, rounds, UnrollScope::needed, true);
        bench::measure(features, side, rounds, UnrollScope::all, true);
    }
    bench::measure(features, side, 400, UnrollScope::needed, false);
    bench::measure(features, side, 400, UnrollScope::all, false);
    return 0;
}
