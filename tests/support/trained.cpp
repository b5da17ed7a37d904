// SPDX-License-Identifier: Apache-2.0
#include "support/trained.h"

#include "backends/backends.h"
#include "comm/simulated/simulated_communicator.h"
#include "comm/threads/threads_communicator.h"
#include "place/unroll.h"
#include "run/checkpoint/checkpoint.h"
#include "schedule/schedule.h"
#include "schedule/select/choose_communicator.h"
#include "support/fed_pool.h"
#include "support/heap.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace weft::test {

namespace {

void countTraffic(const WorkerPool& pool, const std::shared_ptr<const Plan>& plan, int steps,
                  Trained& trained) {
    for (std::size_t w = 0; w < pool.size(); ++w) {
        for (const auto& collective : pool.program(w, 0).collectives()) {
            trained.elementsSent += collective->elementsSent();
        }
    }
    const auto laid = unrolled(plan);
    for (const PlanNode& node : laid->nodes) {
        if (node.node.isNone() && !isLocal(node.collective)) {
            for (const std::int64_t sent : elementsSent(*laid, node)) {
                trained.elementsPlanned += sent * steps;
            }
        }
    }
}

void describe(const Program& program, Trained& trained) {
    for (const SlotBuffer& slot : program.slots) {
        trained.formats.push_back(slot.part.format.tag);
    }
    for (const Step& step : program.steps) {
        trained.steps.push_back(step.name);
    }
    trained.kernelRefusals = program.refusals;
    for (const CollectiveRequest& collective : program.collectives) {
        ++trained.collectives;
        trained.apart += collective.communicator.empty() ? 0 : 1;
    }
}

/// Returns the devices that run the plan: all, or this rank's device.
std::vector<LocalDevice> devicesFor(const Spreading& spreading, const BackendList& backends) {
    std::vector<LocalDevice> devices =
        openDevices(backends, spreading.devices, spreading.backend, spreading.cores);
    for (std::size_t k = 1; !spreading.second.empty() && k < devices.size(); k += 2) {
        auto others = openDevices(backends, spreading.devices, spreading.second, spreading.cores);
        devices[k] = std::move(others[k]);
    }
    if (spreading.ranks != nullptr) {
        LocalDevice mine = std::move(devices[spreading.ranks->rank]);
        devices.clear();
        devices.push_back(std::move(mine));
    }
    return devices;
}

void runSteps(WorkerPool& pool, const Graph& graph, int steps, std::int64_t integersBelow,
              Trained& trained) {
    for (int step = 0; step < steps; ++step) {
        feed(pool, 0, graph, step, [&](const std::string&) { return integersBelow; });
        {
            const OwnAllocations asked;
            pool.run(0, step == 0);
            trained.allocations += step == 0 ? 0 : asked.count();
        }
        trained.losses.push_back(lossOf(pool, 0, graph));
    }
}

} // namespace

Trained train(std::shared_ptr<const Graph> graph, const OpList& ops, const Spreading& spreading,
              int steps, std::int64_t integersBelow) {
    Trained trained;
    PlacementRequest request;
    for (std::size_t k = 0; k < spreading.devices; ++k) {
        request.devices.push_back(spreading.backend + ":" + std::to_string(k));
    }
    request.layers = spreading.layers;
    request.fallback = spreading.assignment;
    PlacementResult placing = place(std::move(graph), ops, request);
    for (const Diagnostic& problem : placing.problems) {
        if (problem.severity == Severity::error) {
            trained.refusals.push_back(toString(problem));
        }
    }
    if (!trained.refusals.empty()) {
        return trained;
    }
    auto plan = std::make_shared<const Plan>(std::move(placing.plan));
    verify(*plan);
    verify(*unrolled(plan));
    plan = spreading.laysRounds ? unrolled(plan, UnrollScope::all) : plan;
    verify(*plan);
    BackendList backends;
    backends::fill(backends);
    const OneRank* ranks = spreading.ranks;
    const bool isStepped =
        ranks == nullptr && spreading.communicator == CommunicatorKind::simulated;
    const std::unique_ptr<Communicator> own =
        isStepped ? makeSimulatedCommunicator() : makeThreadsCommunicator();
    Communicator* communicator = ranks == nullptr ? own.get() : ranks->communicator;
    WorkerPool pool(devicesFor(spreading, backends), communicator, isStepped,
                    {.communicators = spreading.communicators});
    pool.setCollectiveLimit(std::chrono::seconds(60));
    pool.prepare([&](const LocalDevice& local) {
        ScheduleRequest wanted{.order = spreading.order,
                               .streams = spreading.streams,
                               .cores = spreading.cores,
                               .seed = 3};
        wanted.fallback = &backends.find("reference")->kernels;
        const CommunicatorRule rule =
            spreading.communicators == nullptr
                ? CommunicatorRule{}
                : communicatorRule(*spreading.communicators, plan->devices, "chosen");
        wanted.communicators = &rule;
        std::vector<Program> programs;
        programs.push_back(schedule(plan, local.id, *local.backend, local.device->sheet(), wanted));
        verify(programs.front());
        return programs;
    });
    initialiseSlots(pool, 5);
    runSteps(pool, *plan->graph, steps, integersBelow, trained);
    for (std::size_t s = 0; s < plan->graph->slots.size(); ++s) {
        trained.slotsAfter.emplace_back(
            plan->graph->slots[s].name,
            gather(pool, *plan->graph, s,
                   ranks == nullptr ? std::vector<double>{} : ranks->known->slotsAfter[s].second));
    }
    countTraffic(pool, plan, steps, trained);
    describe(pool.program(0, 0).program(), trained);
    return trained;
}

namespace {

/// A running mean may be all but zero, yet is rounded as what it is the mean of: how far that lies
/// around it. 0: it is no running mean.
double deviationBeside(const Trained& trained, const std::string& slot) {
    constexpr std::string_view mean = "running_mean";
    if (!slot.ends_with(mean)) {
        return 0;
    }
    const std::string variance = slot.substr(0, slot.size() - mean.size()) + "running_var";
    const auto found = std::ranges::find(trained.slotsAfter, variance,
                                         &decltype(trained.slotsAfter)::value_type::first);
    return found == trained.slotsAfter.end() || found->second.empty()
               ? 0
               : std::sqrt(std::ranges::max(found->second));
}

double largestOf(const std::vector<double>& numbers) {
    return std::transform_reduce(
        numbers.begin(), numbers.end(), 0.0, [](double x, double y) { return std::max(x, y); },
        [](double x) { return std::abs(x); });
}

/// A gradient may be a sum whose parts cancel, as that of a key's bias, which moves no attention:
/// what is kept of it is rounded as the parts are, whose size the layer's other gradients tell.
double gradientsBeside(const Trained& trained, const std::string& slot) {
    const auto kept = slot.find('/');
    if (kept == std::string::npos) {
        return 0;
    }
    const std::string layer = slot.substr(0, slot.find('.') + 1);
    double largest = 0;
    for (const auto& [name, numbers] : trained.slotsAfter) {
        if (name.starts_with(layer) && name.ends_with(slot.substr(kept))) {
            largest = std::max(largest, largestOf(numbers));
        }
    }
    return largest / 10;
}

} // namespace

double largestDifference(const Trained& a, const Trained& b, std::string& where) {
    double largest = 0;
    const auto compare = [&](double x, double y, double scale, const std::string& name) {
        const double difference = std::isnan(x) || std::isnan(y) ? 1e30 : std::abs(x - y) / scale;
        if (difference > largest) {
            largest = difference;
            where = name;
        }
    };
    for (std::size_t k = 0; k < a.losses.size(); ++k) {
        compare(a.losses[k], b.losses[k], std::max(1e-3, std::abs(a.losses[k])),
                "loss of step " + std::to_string(k + 1));
    }
    for (std::size_t k = 0; k < a.numbers.size(); ++k) {
        compare(a.numbers[k].second, b.numbers[k].second,
                std::max(1e-3, std::abs(a.numbers[k].second)), a.numbers[k].first);
    }
    for (std::size_t s = 0; s < a.slotsAfter.size(); ++s) {
        const std::string& name = a.slotsAfter[s].first;
        const double scale = std::max({1e-3, largestOf(a.slotsAfter[s].second),
                                       deviationBeside(a, name), gradientsBeside(a, name)});
        for (std::size_t k = 0; k < a.slotsAfter[s].second.size(); ++k) {
            compare(a.slotsAfter[s].second[k], b.slotsAfter[s].second[k], scale, name);
        }
    }
    return largest;
}

} // namespace weft::test
