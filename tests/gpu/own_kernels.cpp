// SPDX-License-Identifier: Apache-2.0
#include "gpu/own_kernels.h"

#include "place/place.h"
#include "run/checkpoint/checkpoint.h"
#include "run/execute/worker_pool.h"
#include "support/fed_pool.h"

#include <QByteArray>
#include <algorithm>

namespace weft::test {

Scheduled scheduled(void (*build)(SmallNetwork&), const Scheduling& how) {
    Scheduled made;
    qputenv("WEFT_SIM_KERNELS", "cuda");
    backends::fill(made.backends);
    qunsetenv("WEFT_SIM_KERNELS");
    SmallNetwork net;
    build(net);
    PlacementResult placing =
        place(std::make_shared<const Graph>(net.graph()), net.ops(), {.devices = {"sim:0"}});
    Backend backend = *made.backends.find("sim");
    if (how.kernels) {
        backend.kernels = how.kernels(backend.kernels);
    }
    ScheduleRequest request{.order = how.order, .streams = how.streams, .seed = 3};
    request.fallback = &made.backends.find("reference")->kernels;
    request.precision = how.precision;
    made.program = schedule(std::make_shared<const Plan>(std::move(placing.plan)), DeviceId{0},
                            backend, backend.find().front(), request);
    verify(made.program);
    return made;
}

KernelList kernelsWhere(const KernelList& all,
                        const std::function<bool(const std::string& op)>& isTaken) {
    KernelList some;
    for (const std::string& op : all.ops()) {
        for (const KernelMaker& maker : all.ownOf(op)) {
            isTaken(op) ? some.add(maker) : void();
        }
    }
    return some;
}

std::vector<double> trainedBy(const Scheduled& made) {
    constexpr int steps = 3;
    std::vector<double> numbers;
    const Graph& graph = *made.program.plan->graph;
    WorkerPool pool(openDevices(made.backends, 1, "sim", 1), nullptr, false);
    pool.prepare([&](const LocalDevice&) { return std::vector{made.program}; });
    initialiseSlots(pool, 5);
    for (int step = 0; step < steps; ++step) {
        feed(pool, 0, graph, step, [](const std::string&) { return classesHere; });
        pool.run(0);
        numbers.push_back(lossOf(pool, 0, graph));
    }
    for (std::size_t s = 0; s < graph.slots.size(); ++s) {
        std::ranges::copy(gather(pool, graph, s, {}), std::back_inserter(numbers));
    }
    return numbers;
}

std::ptrdiff_t stepsOf(const Scheduled& made, const std::string& name) {
    return std::ranges::count_if(made.program.steps, [&](const Step& step) {
        return step.name.find(name) != std::string::npos;
    });
}

} // namespace weft::test
