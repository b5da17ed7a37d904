// SPDX-License-Identifier: Apache-2.0
#include "support/trained_design.h"

#include "comm/simulated/simulated_communicator.h"
#include "comm/threads/threads_communicator.h"
#include "compile/program_set.h"
#include "run/checkpoint/checkpoint.h"
#include "schedule/schedule.h"
#include "support/heap.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

namespace weft::test {

namespace {

std::vector<VariantRequest> membersOf(const DesignTraining& training) {
    const std::int64_t batch = training.design->data.batch;
    std::vector<VariantRequest> members{{Mode::train, batch}, {Mode::evaluate, batch}};
    if (training.shortBatch > 0) {
        members.push_back({Mode::train, training.shortBatch});
        members.push_back({Mode::evaluate, training.shortBatch});
    }
    return members;
}

/// Each up or down by itself: what all weights do alike, a difference of two of them does not feel.
template <class T>
void nudge(std::vector<std::byte>& bytes, std::mt19937& random) {
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(T)) {
        T number = 0;
        std::memcpy(&number, bytes.data() + at, sizeof(T));
        constexpr T infinity = std::numeric_limits<T>::infinity();
        number = std::nextafter(number, (random() & 1U) == 0 ? infinity : -infinity);
        std::memcpy(bytes.data() + at, &number, sizeof(T));
    }
}

void nudge(WorkerPool& pool, std::uint32_t seed) {
    std::mt19937 random(seed);
    for (std::size_t w = 0; w < pool.size(); ++w) {
        for (const SlotBuffer& held : pool.program(w, 0).program().slots) {
            if (!held.isHeld) {
                continue;
            }
            std::vector<std::byte> bytes(static_cast<std::size_t>(held.part.elements()) *
                                         byteSize(held.part.dtype));
            pool.copyOut(w, 0, held.buffer, bytes.data());
            held.part.dtype == DType::f64 ? nudge<double>(bytes, random)
                                          : nudge<float>(bytes, random);
            pool.copyIn(w, 0, held.buffer, bytes.data());
        }
    }
}

class Training {
public:
    explicit Training(const DesignTraining& asked) : asked_(asked) {}

    Trained run() {
        if (!makePlans()) {
            return std::move(trained_);
        }
        const OneRank* ranks = asked_.ranks;
        const bool isStepped =
            ranks == nullptr && asked_.communicator == CommunicatorKind::simulated;
        const std::unique_ptr<Communicator> own =
            isStepped ? makeSimulatedCommunicator() : makeThreadsCommunicator();
        Communicator* communicator = ranks == nullptr ? own.get() : ranks->communicator;
        std::vector<LocalDevice> devices = openDevices(asked_.registry->backends, asked_.devices);
        if (ranks != nullptr) {
            LocalDevice mine = std::move(devices[ranks->rank]);
            devices.clear();
            devices.push_back(std::move(mine));
        }
        WorkerPool pool(std::move(devices), communicator, isStepped);
        pool.setCollectiveLimit(std::chrono::seconds(60));
        pool.prepare([&](const LocalDevice& local) { return programsOf(local); });
        initialiseSlots(pool, 5);
        if (asked_.nudge != 0) {
            nudge(pool, asked_.nudge);
        }
        step(pool, 0, 0);
        step(pool, 0, 1);
        if (programSet_.members.size() > 2) {
            step(pool, 2, 2);
            step(pool, 3, 3);
        }
        step(pool, 1, 4);
        const Graph& graph = *programSet_.members.front().plan->graph;
        for (std::size_t s = 0; s < graph.slots.size(); ++s) {
            trained_.slotsAfter.emplace_back(
                graph.slots[s].name, gather(pool, graph, s,
                                            ranks == nullptr ? std::vector<double>{}
                                                             : ranks->known->slotsAfter[s].second));
        }
        return std::move(trained_);
    }

private:
    bool makePlans() {
        const ExpandedDesign expanded = expand(*asked_.design, asked_.registry->kinds);
        programSet_.problems = expanded.problems;
        if (!hasErrors(programSet_.problems)) {
            ProgramSetRequest wanted{.design = asked_.design,
                                     .expanded = &expanded,
                                     .ops = &asked_.registry->ops,
                                     .layers = &asked_.registry->layers,
                                     .optimizers = &asked_.registry->optimizers,
                                     .devices = {},
                                     .members = membersOf(asked_)};
            for (std::size_t k = 0; k < asked_.devices; ++k) {
                wanted.devices.push_back(asked_.design->devices[k].name);
            }
            programSet_ = makeProgramSet(wanted);
        }
        for (const Diagnostic& problem : programSet_.problems) {
            if (problem.severity == Severity::error) {
                trained_.refusals.push_back(toString(problem));
            }
        }
        return trained_.refusals.empty();
    }

    [[nodiscard]] std::vector<Program> programsOf(const LocalDevice& local) const {
        std::vector<Program> programs;
        for (const Variant& member : programSet_.members) {
            verify(*member.plan);
            ScheduleRequest wanted{.order = asked_.design->training.order,
                                   .streams = static_cast<int>(asked_.design->training.streams),
                                   .cores = 1,
                                   .seed = 3};
            wanted.fallback = &local.backend->kernels;
            wanted.settled = programs.empty() ? nullptr : &programs.front();
            programs.push_back(
                schedule(member.plan, local.id, *local.backend, local.device->sheet(), wanted));
            verify(programs.back());
        }
        return programs;
    }

    void step(WorkerPool& pool, std::size_t member, int number) {
        const Variant& of = programSet_.members[member];
        feed(pool, member, *of.plan->graph, number, asked_.below);
        {
            const OwnAllocations asked;
            pool.run(member, number == 0);
            trained_.allocations +=
                number == 1 ? asked.count() : 0; // the first member's second run
        }
        for (std::size_t r = 0; r < of.plan->graph->results.size(); ++r) {
            const Result& result = of.plan->graph->results[r];
            if (result.kind != ResultKind::output) {
                trained_.numbers.emplace_back(nameOf(of.request, asked_.design->data.batch) + " " +
                                                  std::to_string(number + 1) + ": " + result.name,
                                              numberOf(pool, member, r));
            }
        }
    }

    const DesignTraining& asked_;
    ProgramSet programSet_;
    Trained trained_;
};

void clear(Network& network) {
    for (Layer& layer : network.layers) {
        layer.assignment.reset();
    }
}

} // namespace

Trained trainDesign(const DesignTraining& training) { return Training(training).run(); }

Design withoutAssignments(Design design) {
    design.assignment = {};
    clear(design.network);
    for (GroupDefinition& group : design.groups) {
        clear(group.network);
    }
    return design;
}

} // namespace weft::test
