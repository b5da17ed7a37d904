// SPDX-License-Identifier: Apache-2.0
#include "run/try_plans.h"

#include "run/trial_operands.h"
#include <weft/error.h>

#include <algorithm>
#include <chrono>

namespace weft {

namespace {

using Clock = std::chrono::steady_clock;

void add(const std::shared_ptr<const KernelChoice>& choice, ChoicesWithWays& choices) {
    if (choice != nullptr && choice->ways) {
        choices.emplace(choice->ways->name, choice);
    }
}

void add(const Rounds& rounds, ChoicesWithWays& choices) {
    for (const RoundKernel& kernel : rounds.kernels.kernels) {
        for (const auto& choice : kernel.choices) {
            add(choice, choices);
        }
    }
    for (const RoundStep& step : rounds.steps) {
        step.rounds ? add(*step.rounds, choices) : void();
    }
}

/// Of one call out of so many that follow each other.
double secondsOf(Kernel& kernel, const KernelArguments& at, Lane& lane, int calls) {
    const auto from = Clock::now();
    for (int call = 0; call < calls; ++call) {
        kernel.run(at);
    }
    lane.finish();
    return std::chrono::duration<double>(Clock::now() - from).count() / calls;
}

/// So many calls follow each other that they take a while: a lane's wait for the host is no part
/// of a kernel.
int callsFor(double seconds) {
    constexpr double enough = 1e-3;
    constexpr double most = 32;
    return static_cast<int>(std::clamp(enough / std::max(seconds, 1e-9), 1.0, most));
}

/// Warms up. What a library offers and then does not do is nothing to choose.
bool runs(Kernel& kernel, const KernelArguments& at, Lane& lane) {
    try {
        (void)secondsOf(kernel, at, lane, 1);
        return true;
    } catch (const Error&) {
        return false;
    }
}

TriedWays tried(const KernelWays& of, Device& device, Lane& lane) {
    constexpr int rounds = 5;
    const TrialOperands operands(of.inputs, of.outputs, of.scratch, device);
    const KernelArguments arguments = operands.arguments(lane);
    std::vector<KernelWay> ways = of.make();
    std::erase_if(ways, [&](const KernelWay& way) { return !runs(*way.kernel, arguments, lane); });
    std::vector<std::vector<double>> seconds(ways.size());
    std::vector<int> calls;
    calls.reserve(ways.size());
    for (const KernelWay& way : ways) {
        calls.push_back(callsFor(secondsOf(*way.kernel, arguments, lane, 1)));
    }
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t k = 0; k < ways.size(); ++k) {
            seconds[k].push_back(secondsOf(*ways[k].kernel, arguments, lane, calls[k]));
        }
    }
    TriedWays made{.name = of.name, .ways = ways.size(), .first = {}, .best = {}};
    for (std::size_t k = 0; k < ways.size(); ++k) {
        const MeasuredTime time = middleOf(seconds[k]);
        const MeasuredPlan plan{.engine = ways[k].engine,
                                .workspace = ways[k].workspace,
                                .time = {static_cast<std::int64_t>(time.seconds * 1e9)},
                                .spread = time.spread};
        made.first = k == 0 ? plan : made.first;
        made.best = k == 0 || plan.time < made.best.time ? plan : made.best;
    }
    return made;
}

} // namespace

void addChoicesWithWays(const Program& program, ChoicesWithWays& choices) {
    for (const auto& choice : program.choices) {
        add(choice, choices);
    }
    for (const Step& step : program.steps) {
        step.rounds ? add(*step.rounds, choices) : void();
    }
}

std::vector<TriedWays> tryWays(Device& device, const ChoicesWithWays& choices,
                               const MeasuringProgress& progress) {
    const auto lane = device.makeLane(0, static_cast<int>(device.sheet().cores));
    device.use();
    std::vector<TriedWays> all;
    double done = 0;
    for (const auto& [name, choice] : choices) {
        if (progress && !progress(done / static_cast<double>(choices.size()))) {
            throw Error(ErrorCode::stopped, Where{.op = name}, "the measurement was stopped",
                        "start it again");
        }
        TriedWays one = tried(*choice->ways, device, *lane);
        if (one.ways > 0) {
            all.push_back(std::move(one));
        }
        done += 1;
    }
    return all;
}

} // namespace weft
