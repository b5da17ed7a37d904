// SPDX-License-Identifier: Apache-2.0
#include "schedule/chip_lanes.h"

#include <weft/error.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace weft {

namespace {

/// Rounding error of a step's work, in nanoseconds.
constexpr double nothing = 1e-6;

/// `take` gets each lane of which a step runs, and that step.
template <class Lanes, class Take>
void forEachRunning(Lanes& lanes, const Take& take) {
    for (auto& lane : lanes) {
        if (lane.isRunning) {
            take(lane, lane.steps[lane.ended]);
        }
    }
}

} // namespace

ChipLanes::ChipLanes(std::vector<ChipStep> steps, std::size_t lanes, Meet meet)
    : steps_(std::move(steps)),
      meet_(std::move(meet)),
      lanes_(lanes),
      times_(steps_.size()),
      launches_(steps_.size(), 0) {
    for (std::size_t k = 0; k < steps_.size(); ++k) {
        lanes_[steps_[k].lane].steps.push_back(k);
    }
}

bool ChipLanes::isDone() const {
    return std::ranges::all_of(lanes_,
                               [](const Lane& lane) { return lane.ended == lane.steps.size(); });
}

/// A meeting has nothing to stand behind until it has ended.
bool ChipLanes::mayLaunch(const ChipStep& step) const {
    return std::ranges::all_of(step.waits, [&](const StepWait& wait) {
        const Lane& other = lanes_[wait.lane];
        return (steps_[other.steps.front()].meets ? other.ended : other.launched) >= wait.count;
    });
}

bool ChipLanes::mayBegin(const ChipStep& step) const {
    return std::ranges::all_of(
        step.waits, [&](const StepWait& wait) { return lanes_[wait.lane].ended >= wait.count; });
}

/// When all had ended that the lane's next step stands behind.
std::int64_t ChipLanes::readyAt(const Lane& lane, const ChipStep& step) const {
    std::int64_t last = lane.ended == 0 ? 0 : times_[lane.steps[lane.ended - 1]].end;
    for (const StepWait& wait : step.waits) {
        last = std::max(last, times_[lanes_[wait.lane].steps[wait.count - 1]].end);
    }
    return last;
}

void ChipLanes::begin() {
    for (Lane& lane : lanes_) {
        if (lane.isRunning || lane.ended == lane.steps.size()) {
            continue;
        }
        const std::size_t index = lane.steps[lane.ended];
        const ChipStep& step = steps_[index];
        if ((step.meets || lane.launched > lane.ended) && mayBegin(step)) {
            lane.isRunning = true;
            lane.left = static_cast<double>(step.work);
            const std::int64_t moment =
                step.meets ? now_ : std::max(launches_[index], readyAt(lane, step));
            times_[index].begin = times_[index].met = moment;
        }
    }
}

void ChipLanes::launch() {
    if (launch_) {
        return;
    }
    // The first in the order of the program.
    for (const Lane& lane : lanes_) {
        if (lane.launched == lane.steps.size()) {
            continue;
        }
        const std::size_t index = lane.steps[lane.launched];
        const ChipStep& step = steps_[index];
        if (!step.meets && mayLaunch(step) && (!launch_ || index < launch_->step)) {
            launch_ = Launch{index, now_ + step.launch};
            launches_[index] = now_;
        }
    }
}

double ChipLanes::slowing() const {
    double filled = 0;
    forEachRunning(lanes_, [&](const Lane&, std::size_t step) { filled += steps_[step].fills; });
    return std::max(1.0, filled);
}

/// Nothing: nothing will happen, or not before others have come to a meeting.
std::optional<std::int64_t> ChipLanes::next() const {
    std::optional<std::int64_t> first;
    std::optional<std::int64_t> horizon;
    const auto take = [](std::optional<std::int64_t>& least, std::int64_t moment) {
        least = least ? std::min(*least, moment) : moment;
    };
    if (launch_) {
        take(first, launch_->end);
    }
    const double slow = slowing();
    forEachRunning(lanes_, [&](const Lane& lane, std::size_t index) {
        const ChipStep& step = steps_[index];
        if (step.meets) {
            const MeetingTime meeting = meet_(index, times_[index].begin);
            take(meeting.isSettled ? first : horizon, meeting.end);
        } else {
            take(first, now_ + static_cast<std::int64_t>(
                                   std::ceil(lane.left * (step.fills > 0 ? slow : 1) - nothing)));
        }
    });
    return horizon && first && *first > *horizon ? std::nullopt : first;
}

void ChipLanes::passTo(std::int64_t moment) {
    const auto passed = static_cast<double>(moment - now_);
    const double slow = slowing();
    now_ = moment;
    if (launch_ && launch_->end <= now_) {
        ++lanes_[steps_[launch_->step].lane].launched;
        launch_.reset();
    }
    forEachRunning(lanes_, [&](Lane& lane, std::size_t index) {
        const ChipStep& step = steps_[index];
        if (step.meets) {
            const MeetingTime meeting = meet_(index, times_[index].begin);
            times_[index].met = meeting.met;
            lane.isRunning = !meeting.isSettled || meeting.end > now_;
        } else {
            lane.left -= passed / (step.fills > 0 ? slow : 1);
            lane.isRunning = lane.left > nothing;
        }
        if (!lane.isRunning) {
            times_[index].end = now_;
            ++lane.ended;
        }
    });
}

bool ChipLanes::advance() {
    for (bool moved = false;; moved = true) {
        begin();
        launch();
        const auto moment = next();
        if (!moment) {
            return moved;
        }
        passTo(*moment);
    }
}

std::int64_t endAlone(std::vector<ChipStep> steps, std::size_t lanes) {
    std::vector<std::int64_t> takes;
    takes.reserve(steps.size());
    std::ranges::transform(steps, std::back_inserter(takes), &ChipStep::work);
    ChipLanes alone(std::move(steps), lanes, [&](std::size_t step, std::int64_t come) {
        return MeetingTime{come, come + takes[step], true};
    });
    alone.advance();
    ensure(alone.isDone(), "a program waits for itself for ever");
    std::int64_t last = 0;
    for (const StepTime& time : alone.times()) {
        last = std::max(last, time.end);
    }
    return last;
}

} // namespace weft
