// SPDX-License-Identifier: Apache-2.0
#include "schedule/predict/chip_streams.h"

#include <weft/error.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace weft {

namespace {

/// Rounding error of a step's work, in nanoseconds.
constexpr double nothing = 1e-6;

/// Calls `take` with each stream that runs a step, and that step.
template <class Streams, class Take>
void forEachRunning(Streams& streams, const Take& take) {
    for (auto& stream : streams) {
        if (stream.isRunning) {
            take(stream, stream.steps[stream.ended]);
        }
    }
}

} // namespace

ChipStreams::ChipStreams(std::vector<ChipStep> steps, std::size_t streams, AskCollective meet)
    : steps_(std::move(steps)),
      askCollective_(std::move(meet)),
      streams_(streams),
      times_(steps_.size()),
      launches_(steps_.size(), 0) {
    for (std::size_t k = 0; k < steps_.size(); ++k) {
        streams_[steps_[k].stream].steps.push_back(k);
    }
}

bool ChipStreams::isDone() const {
    return std::ranges::all_of(
        streams_, [](const Stream& stream) { return stream.ended == stream.steps.size(); });
}

/// A step behind a collective is launched only when the collective has ended.
bool ChipStreams::mayLaunch(const ChipStep& step) const {
    return std::ranges::all_of(step.waits, [&](const StepWait& wait) {
        const Stream& other = streams_[wait.stream];
        return (steps_[other.steps.front()].meets ? other.ended : other.launched) >= wait.count;
    });
}

bool ChipStreams::mayBegin(const ChipStep& step) const {
    return std::ranges::all_of(step.waits, [&](const StepWait& wait) {
        return streams_[wait.stream].ended >= wait.count;
    });
}

/// Returns when everything that the stream's next step waits for had ended.
std::int64_t ChipStreams::readyAt(const Stream& stream, const ChipStep& step) const {
    std::int64_t last = stream.ended == 0 ? 0 : times_[stream.steps[stream.ended - 1]].end;
    for (const StepWait& wait : step.waits) {
        last = std::max(last, times_[streams_[wait.stream].steps[wait.count - 1]].end);
    }
    return last;
}

void ChipStreams::begin() {
    for (Stream& stream : streams_) {
        if (stream.isRunning || stream.ended == stream.steps.size()) {
            continue;
        }
        const std::size_t index = stream.steps[stream.ended];
        const ChipStep& step = steps_[index];
        if ((step.meets || stream.launched > stream.ended) && mayBegin(step)) {
            stream.isRunning = true;
            stream.left = static_cast<double>(step.work);
            const std::int64_t moment =
                step.meets ? now_ : std::max(launches_[index], readyAt(stream, step));
            times_[index].begin = times_[index].met = moment;
        }
    }
}

void ChipStreams::launch() {
    if (launch_) {
        return;
    }
    // Takes the first in program order.
    for (const Stream& stream : streams_) {
        if (stream.launched == stream.steps.size()) {
            continue;
        }
        const std::size_t index = stream.steps[stream.launched];
        const ChipStep& step = steps_[index];
        if (!step.meets && mayLaunch(step) && (!launch_ || index < launch_->step)) {
            launch_ = Launch{index, now_ + step.launch};
            launches_[index] = now_;
        }
    }
}

double ChipStreams::slowdown() const {
    double filled = 0;
    forEachRunning(streams_,
                   [&](const Stream&, std::size_t step) { filled += steps_[step].fills; });
    return std::max(1.0, filled);
}

/// Returns the time of the next event, or none if nothing more happens before other devices arrive
/// at a collective.
std::optional<std::int64_t> ChipStreams::next() const {
    std::optional<std::int64_t> first;
    std::optional<std::int64_t> horizon;
    const auto take = [](std::optional<std::int64_t>& least, std::int64_t moment) {
        least = least ? std::min(*least, moment) : moment;
    };
    if (launch_) {
        take(first, launch_->end);
    }
    const double slow = slowdown();
    forEachRunning(streams_, [&](const Stream& stream, std::size_t index) {
        const ChipStep& step = steps_[index];
        if (step.meets) {
            const CollectiveTime meeting = askCollective_(index, times_[index].begin);
            take(meeting.isSettled ? first : horizon, meeting.end);
        } else {
            take(first, now_ + static_cast<std::int64_t>(
                                   std::ceil(stream.left * (step.fills > 0 ? slow : 1) - nothing)));
        }
    });
    return horizon && first && *first > *horizon ? std::nullopt : first;
}

void ChipStreams::advanceTo(std::int64_t moment) {
    const auto passed = static_cast<double>(moment - now_);
    const double slow = slowdown();
    now_ = moment;
    if (launch_ && launch_->end <= now_) {
        ++streams_[steps_[launch_->step].stream].launched;
        launch_.reset();
    }
    forEachRunning(streams_, [&](Stream& stream, std::size_t index) {
        const ChipStep& step = steps_[index];
        if (step.meets) {
            const CollectiveTime meeting = askCollective_(index, times_[index].begin);
            times_[index].met = meeting.met;
            stream.isRunning = !meeting.isSettled || meeting.end > now_;
        } else {
            stream.left -= passed / (step.fills > 0 ? slow : 1);
            stream.isRunning = stream.left > nothing;
        }
        if (!stream.isRunning) {
            times_[index].end = now_;
            ++stream.ended;
        }
    });
}

bool ChipStreams::advance() {
    for (bool moved = false;; moved = true) {
        begin();
        launch();
        const auto moment = next();
        if (!moment) {
            return moved;
        }
        advanceTo(*moment);
    }
}

std::int64_t endAlone(std::vector<ChipStep> steps, std::size_t streams) {
    std::vector<std::int64_t> takes;
    takes.reserve(steps.size());
    std::ranges::transform(steps, std::back_inserter(takes), &ChipStep::work);
    ChipStreams alone(std::move(steps), streams, [&](std::size_t step, std::int64_t come) {
        return CollectiveTime{come, come + takes[step], true};
    });
    alone.advance();
    ensure(alone.isDone(), "a program does not wait for itself");
    std::int64_t last = 0;
    for (const StepTime& time : alone.times()) {
        last = std::max(last, time.end);
    }
    return last;
}

} // namespace weft
