// SPDX-License-Identifier: Apache-2.0
#include "runs/run_status.h"

#include "theme/quantity.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <limits>
#include <ranges>

namespace weft::ui {

namespace {

/// Number of recent steps used for the present speed.
constexpr std::size_t window = 100;

std::span<const double> lastOf(const SeriesHandle& series) {
    if (series == nullptr) {
        return {};
    }
    const std::span<const double> all = series->values().numbers();
    return all.last(std::min(all.size(), window));
}

std::optional<double> meanOf(std::span<const double> numbers) {
    double sum = 0;
    for (const double number : numbers) {
        sum += number;
    }
    return numbers.empty() ? std::nullopt
                           : std::optional(sum / static_cast<double>(numbers.size()));
}

/// Returns the number of steps from the settings, else estimates it from the epochs per step so
/// far.
std::optional<std::int64_t> plannedSteps(const Design& design, const StepRows& rows) {
    const TrainingSettings& training = design.training;
    std::optional<std::int64_t> planned;
    if (training.steps > 0) {
        planned = training.steps;
    }
    if (training.epochs > 0 && rows.size() > 0 && rows.epochs.back() > 0) {
        const auto byEpochs = static_cast<std::int64_t>(
            std::llround(static_cast<double>(training.epochs) *
                         static_cast<double>(rows.steps.back()) / rows.epochs.back()));
        planned = planned ? std::min(*planned, byEpochs) : byEpochs;
    }
    return planned;
}

/// Returns the mean time between the ends of successive steps, including everything in between.
std::optional<double> paceOf(const StepRows& rows) {
    if (rows.size() < 2) {
        return std::nullopt;
    }
    const std::size_t last = rows.size() - 1;
    const std::size_t first = last - std::min(last, window);
    return (rows.seconds[last] - rows.seconds[first]) / static_cast<double>(last - first);
}

/// Returns the seconds since the end of a step, by the clock of the run's first attempt.
std::optional<double> ageOf(std::int64_t step, const RunHub& hub, double now) {
    const StepRows& rows = hub.series().rows(Split::train);
    const auto at = std::ranges::lower_bound(rows.steps, step) - rows.steps.begin();
    const auto row = static_cast<std::size_t>(at);
    if (row >= rows.size() || rows.steps[row] != step || hub.attempts().empty()) {
        return std::nullopt;
    }
    const double begun = static_cast<double>(hub.attempts().front().wallClock) * 1e-9;
    return std::max(0.0, now - begun - rows.seconds[row]);
}

std::optional<LayerSync> mostSent(const Preview& predicted) {
    std::optional<LayerSync> most;
    bool isOnly = true;
    for (const LayerPreview& layer : predicted.layers) {
        if (!layer.sync || layer.sync->name.empty()) {
            continue;
        }
        isOnly = !most;
        if (!most || layer.sync->sentPerDevice > most->sync.sentPerDevice) {
            most = {layer.name, *layer.sync};
        }
    }
    if (most && isOnly) {
        most->layer.clear();
    }
    return most;
}

} // namespace

RunStatus statusOf(const RunHub& hub, const Preview* predicted, double now) {
    RunStatus status;
    const StepRows& rows = hub.series().rows(Split::train);
    status.step = std::max<std::int64_t>(0, hub.lastStep());
    status.steps = plannedSteps(hub.design(), rows);
    if (hub.figures().steps > 0) {
        status.stepSeconds = quantity::seconds(hub.figures().step);
    }
    status.throughput = meanOf(lastOf(hub.series().find("throughput", Split::train)));
    if (const auto pace = paceOf(rows); pace && status.steps && hub.isLiving()) {
        status.secondsLeft =
            *pace * static_cast<double>(std::max<std::int64_t>(0, *status.steps - status.step));
    }
    if (const StepWindow* typical = typicalStep(hub); typical != nullptr) {
        status.iterations = iterationsOf(hub.spans().ofStep(typical->step));
    }
    if (predicted != nullptr) {
        status.sync = mostSent(*predicted);
    }
    if (predicted != nullptr && predicted->step && predicted->step->timeline) {
        status.predictedIterations = iterationsOf(*predicted->step->timeline);
    }
    if (predicted != nullptr && predicted->step && predicted->step->time.count > 0) {
        status.predictedStep = quantity::seconds(predicted->step->time);
        status.predictedRate = static_cast<double>(hub.design().data.batch) / *status.predictedStep;
    }
    if (!hub.checkpoints().empty()) {
        status.checkpoint = hub.checkpoints().back().step;
        status.checkpointAge = ageOf(*status.checkpoint, hub, now);
    }
    return status;
}

std::optional<double> secondsOfStep(const RunHub& hub, std::int64_t step) {
    const SeriesHandle times = hub.series().find(SeriesStore::stepTime, Split::train);
    const auto at =
        times == nullptr ? std::nullopt : times->nearest(XAxis::step, static_cast<double>(step));
    return at && times->step(*at) == step ? std::optional(times->values().at(*at)) : std::nullopt;
}

const StepWindow* typicalStep(const RunHub& hub) {
    const double median = quantity::seconds(hub.figures().step);
    const StepWindow* nearest = nullptr;
    double least = 0;
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (const StepWindow& one : hub.spans().steps() | std::views::reverse) {
        if (one.step >= first) {
            continue; // belongs to an earlier attempt
        }
        first = one.step;
        if (!one.isInDetail) {
            continue;
        }
        const double seconds = secondsOfStep(hub, one.step)
                                   .value_or(quantity::seconds(Nanoseconds{one.end - one.begin}));
        const double away = std::abs(seconds - median);
        if (nearest == nullptr || away < least) {
            nearest = &one;
            least = away;
        }
    }
    return nearest;
}

QString nameOfState(RunState state, bool isPaused) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("run", text); };
    switch (state) {
    case RunState::living: return isPaused ? tr("paused") : tr("running");
    case RunState::unknown: return tr("unknown");
    default: return QString::fromUtf8(weft::nameOf(state).data());
    }
}

} // namespace weft::ui
