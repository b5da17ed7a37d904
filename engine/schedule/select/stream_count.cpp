// SPDX-License-Identifier: Apache-2.0
#include "schedule/select/stream_count.h"

#include "schedule/predict/chip_streams.h"

#include <algorithm>
#include <vector>

namespace weft {

namespace {

// Nominal, of one core of a present-day server.
constexpr double flopsPerNanosecond = 30;
constexpr double bytesPerNanosecond = 6;
constexpr std::int64_t overhead = 3000; // nanoseconds to start an op and synchronise at its end
/// An op uses no further core below this much work per core.
constexpr double worthACore = 50'000; // nanoseconds
/// Speed-up that each core after the first adds to an op.
constexpr double gainOfACore = 0.7;
/// More streams must shorten the schedule to this fraction, so that a wrong estimate does no harm.
constexpr double clearlySooner = 0.92;

std::int64_t timeOf(const Task& task, int cores) {
    if (task.kind == StepKind::collective) {
        return overhead + static_cast<std::int64_t>(static_cast<double>(task.traffic.count) /
                                                    bytesPerNanosecond);
    }
    const double work = std::max(static_cast<double>(task.flops.count) / flopsPerNanosecond,
                                 static_cast<double>(task.traffic.count) / bytesPerNanosecond);
    const double useful = std::clamp(work / worthACore, 1.0, static_cast<double>(cores));
    return overhead + static_cast<std::int64_t>(work / (1 + gainOfACore * (useful - 1)));
}

/// Returns when the last task ends if every task begins as soon as its stream and what it waits for
/// allow.
std::int64_t endOf(const LocalPlan& local, const Ordering& ordering) {
    const auto before = dependencies(local, ordering);
    std::vector<std::int64_t> ends(local.tasks.size(), 0);
    std::vector<std::int64_t> free(ordering.streams.size(), 0);
    std::int64_t last = 0;
    for (const int task : ordering.sequence) {
        const auto t = static_cast<std::size_t>(task);
        std::int64_t begin = free[ordering.streamOf[t]];
        for (const int b : before[t]) {
            begin = std::max(begin, ends[static_cast<std::size_t>(b)]);
        }
        ends[t] = free[ordering.streamOf[t]] = begin + local.tasks[t].predicted.count;
        last = std::max(last, ends[t]);
    }
    return last;
}

std::int64_t endOnChip(const LocalPlan& local, const Ordering& ordering) {
    auto waits = waitsOf(ordering, dependencies(local, ordering));
    std::vector<ChipStep> steps;
    for (const int task : ordering.sequence) {
        const auto t = static_cast<std::size_t>(task);
        const Task& made = local.tasks[t];
        steps.push_back({.stream = ordering.streamOf[t],
                         .waits = std::move(waits[t]),
                         .launch = made.chip.launch.count,
                         .work = (made.predicted - made.chip.launch).count,
                         .fills = made.chip.fills,
                         .meets = made.kind == StepKind::collective});
    }
    return endAlone(std::move(steps), ordering.streams.size());
}

} // namespace

ChipStreamCount streamsOfChip(const LocalPlan& local, const std::string& how, int given) {
    const auto on = [&](int streams) {
        return ChipStreamCount{streams, endOnChip(local, order(local, how, streams, 1))};
    };
    if (given > 0 || how == "sequential") {
        return on(std::max(1, given));
    }
    ChipStreamCount best = on(1);
    for (int streams = 2; streams <= mostStreamsOfAChip; streams *= 2) {
        const ChipStreamCount more = on(streams);
        if (static_cast<double>(more.end) < clearlySooner * static_cast<double>(best.end)) {
            best = more;
        }
    }
    return best;
}

int streamCount(const LocalPlan& local, const std::string& how, int cores) {
    if (how == "sequential" || cores < 2) {
        return 1;
    }
    LocalPlan priced{.plan = local.plan, .device = local.device, .values = local.values};
    priced.slots = local.slots;
    priced.slotNext = local.slotNext;
    for (const Task& task : local.tasks) {
        priced.tasks.push_back({.kind = task.kind,
                                .inputs = task.inputs,
                                .outputs = task.outputs,
                                .flops = task.flops,
                                .traffic = task.traffic});
    }
    int best = 1;
    double least = 0;
    for (int streams = 1; streams <= cores; streams *= 2) {
        for (Task& task : priced.tasks) {
            task.predicted = {timeOf(task, cores / streams)};
        }
        const auto end = static_cast<double>(endOf(priced, order(priced, how, streams, cores)));
        if (streams == 1 || end < clearlySooner * least) {
            best = streams;
            least = end;
        }
    }
    return best;
}

} // namespace weft
