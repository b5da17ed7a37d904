// SPDX-License-Identifier: Apache-2.0
#include "events/run_tally.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace weft {

void RunTally::begin(const Attempt& attempt) {
    attempt_ = std::max(attempt_, attempt.number);
    period_ = attempt.period;
    unfinished_ = {};
}

void RunTally::addTime(float seconds) {
    // Non-negative floats are grouped by exponent and 12 bits of the mantissa.
    constexpr unsigned bitsLeftOut = 11;
    TimeBin& alike = times_[std::bit_cast<std::uint32_t>(seconds) >> bitsLeftOut];
    ++alike.count;
    alike.seconds += static_cast<double>(seconds);
    ++counted_;
}

void RunTally::add(const StepRecord& step, std::optional<MainMetric> first) {
    if (step.split == Split::train && std::isfinite(step.seconds) && !std::signbit(step.seconds)) {
        ++steps_;
        ++unfinished_.count;
        unfinished_.seconds += static_cast<double>(step.seconds);
        if (unfinished_.count >= period_) {
            addTime(
                static_cast<float>(unfinished_.seconds / static_cast<double>(unfinished_.count)));
            unfinished_ = {};
        }
    }
    std::vector<BestLoss>& best = losses_[step.split];
    while (!best.empty() && best.back().step >= step.step) {
        best.pop_back();
    }
    if (first && std::isfinite(first->value) && (best.empty() || first->value < best.back().loss)) {
        best.push_back({first->value, step.step, step.split, first->isEnergy});
    }
}

void RunTally::add(const RunMemory& memory) {
    if (memory.name != "planned") {
        return;
    }
    PlannedMemory& given = memory_[memory.device];
    if (memory.attempt >= given.attempt) {
        given = {memory.attempt, memory.bytes};
    }
}

Nanoseconds RunTally::meanOf(const TimeBin& times) {
    return {std::llround(times.seconds / static_cast<double>(times.count) * 1e9)};
}

Nanoseconds RunTally::median() const {
    std::int64_t passed = 0;
    for (const auto& [bits, alike] : times_) {
        passed += alike.count;
        if (passed > counted_ / 2) {
            return meanOf(alike);
        }
    }
    return unfinished_.count > 0 ? meanOf(unfinished_) : Nanoseconds{};
}

RunFigures RunTally::figures() const {
    RunFigures figures{.step = median(), .steps = steps_};
    for (const Split split : {Split::train, Split::evaluate}) {
        const auto losses = losses_.find(split);
        if (losses != losses_.end() && !losses->second.empty()) {
            figures.best = losses->second.back();
        }
    }
    for (const auto& [device, given] : memory_) {
        if (given.attempt == attempt_) {
            figures.memory.push_back({device, given.bytes});
        }
    }
    return figures;
}

} // namespace weft
