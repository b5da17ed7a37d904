// SPDX-License-Identifier: Apache-2.0
#include "support/trained.h"

#include "backends/backends.h"
#include "base/philox.h"
#include "comm/simulated/simulated_room.h"
#include "comm/threads/threads_room.h"
#include "run/checkpoint.h"
#include "run/worker_pool.h"
#include "schedule/schedule.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace weft::test {

namespace {

std::vector<LocalDevice> openDevices(const BackendList& backends, std::size_t count) {
    std::vector<LocalDevice> devices;
    for (std::size_t k = 0; k < count; ++k) {
        const std::string name = "reference:" + std::to_string(k);
        devices.push_back({DeviceId{static_cast<std::uint32_t>(k)}, name,
                           backends.find("reference")->open(name, 1), 1});
    }
    return devices;
}

/// One feed of one step, whole.
std::vector<std::byte> drawFeed(const Feed& feed, const Value& value, int step,
                                std::int64_t below) {
    const auto count = static_cast<std::size_t>(elementsOf(value.shape));
    std::vector<std::byte> bytes(count * byteSize(value.dtype));
    const Philox philox({.seed = 7, .origin = {}, .role = feed.name, .step = step});
    for (std::size_t k = 0; k < count; ++k) {
        const std::uint64_t element = k;
        if (value.dtype == DType::f32) {
            float number = philox.normal(element);
            if (feed.kind == FeedKind::argument) {
                number = feed.name == "learning_rate" ? 0.05F : 1.0F;
            }
            std::memcpy(bytes.data() + k * sizeof(number), &number, sizeof(number));
        } else if (value.dtype == DType::i64) {
            const std::int64_t number = feed.kind == FeedKind::argument
                                            ? step + 1
                                            : static_cast<std::int64_t>(philox.below(
                                                  element, static_cast<std::uint64_t>(below)));
            std::memcpy(bytes.data() + k * sizeof(number), &number, sizeof(number));
        } else {
            const auto number =
                static_cast<std::int32_t>(philox.below(element, static_cast<std::uint64_t>(below)));
            std::memcpy(bytes.data() + k * sizeof(number), &number, sizeof(number));
        }
    }
    return bytes;
}

/// Copies between a whole tensor and a part, row by row.
template <class Copy>
void forEachElement(const TensorPart& part, const Copy& copy) {
    Shape index(part.shape.size(), 0);
    for (std::int64_t n = 0; n < part.elements(); ++n) {
        std::int64_t at = 0;
        for (std::size_t k = 0; k < index.size(); ++k) {
            at = at * part.whole[k] + index[k] + part.begin[k];
        }
        copy(static_cast<std::size_t>(at), static_cast<std::size_t>(n));
        for (std::size_t k = index.size(); k-- > 0;) {
            if (++index[k] < part.shape[k]) {
                break;
            }
            index[k] = 0;
        }
    }
}

void feed(WorkerPool& pool, const Graph& graph, int step, std::int64_t below) {
    for (std::size_t f = 0; f < graph.feeds.size(); ++f) {
        const std::vector<std::byte> whole =
            drawFeed(graph.feeds[f], graph.at(graph.feeds[f].value), step, below);
        for (std::size_t w = 0; w < pool.size(); ++w) {
            const Port& port = pool.program(w, 0).program().feeds[f];
            if (!port.isHeld) {
                continue;
            }
            const std::size_t size = byteSize(port.part.dtype);
            std::vector<std::byte> part(static_cast<std::size_t>(port.part.elements()) * size);
            forEachElement(port.part, [&](std::size_t at, std::size_t in) {
                std::memcpy(part.data() + in * size, whole.data() + at * size, size);
            });
            pool.copyIn(w, 0, port.buffer, part.data());
        }
    }
}

std::vector<float> gather(const WorkerPool& pool, const Graph& graph, std::size_t slot) {
    std::vector<float> whole(static_cast<std::size_t>(elementsOf(graph.slots[slot].shape)), NAN);
    for (std::size_t w = 0; w < pool.size(); ++w) {
        const SlotBuffer& held = pool.program(w, 0).program().slots[slot];
        if (!held.isHeld) {
            continue;
        }
        std::vector<float> part(static_cast<std::size_t>(held.part.elements()));
        pool.copyOut(w, 0, held.buffer, part.data());
        forEachElement(held.part, [&](std::size_t at, std::size_t in) { whole[at] = part[in]; });
    }
    return whole;
}

double lossOf(const WorkerPool& pool, const Graph& graph) {
    for (std::size_t r = 0; r < graph.results.size(); ++r) {
        const Port& port = pool.program(0, 0).program().results[r];
        if (graph.results[r].kind == ResultKind::total && port.isHeld) {
            float loss = 0;
            pool.copyOut(0, 0, port.buffer, &loss);
            return loss;
        }
    }
    return NAN;
}

void countTraffic(const WorkerPool& pool, const Plan& plan, int steps, Trained& trained) {
    for (std::size_t w = 0; w < pool.size(); ++w) {
        for (const auto& collective : pool.program(w, 0).program().collectives) {
            trained.elementsSent += collective->elementsSent();
        }
    }
    for (const PlanNode& node : plan.nodes) {
        if (node.node.isNone() && !isLocal(node.collective)) {
            for (const std::int64_t sent : elementsSent(plan, node)) {
                trained.elementsPlanned += sent * steps;
            }
        }
    }
}

} // namespace

Trained train(std::shared_ptr<const Graph> graph, const OpList& ops, const Spreading& spreading,
              int steps, std::int64_t integersBelow) {
    Trained trained;
    PlacementRequest request;
    for (std::size_t k = 0; k < spreading.devices; ++k) {
        request.devices.push_back("reference:" + std::to_string(k));
    }
    request.layers = spreading.layers;
    request.fallback = spreading.assignment;
    Placing placing = place(std::move(graph), ops, request);
    for (const Diagnostic& problem : placing.problems) {
        if (problem.severity == Severity::error) {
            trained.refusals.push_back(toString(problem));
        }
    }
    if (!trained.refusals.empty()) {
        return trained;
    }
    const auto plan = std::make_shared<const Plan>(std::move(placing.plan));
    verify(*plan);
    BackendList backends;
    backends::fill(backends);
    const bool isStepped = spreading.room == RoomKind::simulated;
    const std::unique_ptr<Room> room = isStepped ? makeSimulatedRoom() : makeThreadsRoom();
    WorkerPool pool(openDevices(backends, spreading.devices), isStepped);
    pool.setLimit(std::chrono::seconds(60));
    pool.prepare([&](const LocalDevice& local) {
        ScheduleRequest wanted{
            .order = spreading.order, .lanes = spreading.lanes, .cores = 1, .seed = 3};
        wanted.room = room.get();
        wanted.fallback = &local.device->kernels();
        std::vector<Program> programs;
        programs.push_back(schedule(plan, local.id, *local.device, wanted));
        verify(programs.front());
        return programs;
    });
    initialiseSlots(pool, 5);
    for (int step = 0; step < steps; ++step) {
        feed(pool, *plan->graph, step, integersBelow);
        pool.run(0);
        trained.losses.push_back(lossOf(pool, *plan->graph));
    }
    for (std::size_t s = 0; s < plan->graph->slots.size(); ++s) {
        trained.slots.emplace_back(plan->graph->slots[s].name, gather(pool, *plan->graph, s));
    }
    countTraffic(pool, *plan, steps, trained);
    return trained;
}

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
    for (std::size_t s = 0; s < a.slots.size(); ++s) {
        double scale = 1e-3;
        for (const float x : a.slots[s].second) {
            scale = std::max(scale, static_cast<double>(std::abs(x)));
        }
        for (std::size_t k = 0; k < a.slots[s].second.size(); ++k) {
            compare(a.slots[s].second[k], b.slots[s].second[k], scale, a.slots[s].first);
        }
    }
    return largest;
}

} // namespace weft::test
