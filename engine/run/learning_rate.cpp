// SPDX-License-Identifier: Apache-2.0
#include "run/learning_rate.h"

#include <weft/error.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace weft {

namespace {

AttributeSpec warmup(const std::string& then = "the schedule begins after them") {
    return {.name = "warmup_steps",
            .fallback = std::int64_t{0},
            .help = "the rate rises evenly from nothing over the first so many applied updates "
                    "(steps, where every step is one); " +
                    then,
            .least = 0,
            .unit = "updates"};
}

AttributeSpec endShare() {
    return {.name = "end",
            .fallback = 0.0,
            .help = "rate at the end, as a share of learning_rate",
            .least = 0,
            .most = 1};
}

AttributeSpec length() {
    return {.name = "steps",
            .fallback = std::int64_t{0},
            .help = "applied updates (steps, where every step is one) after which the rate is at "
                    "its end, where it stays; 0: all of the run",
            .least = 0,
            .unit = "updates"};
}

std::vector<SettingKind> makeSchedules() {
    return {
        {"constant", "the same rate throughout", {warmup()}},
        {"step",
         "times `factor` after every so many applied updates, counted from the run's first",
         {warmup("`every` counts them too, and what has dropped by then holds after them"),
          {.name = "every",
           .fallback = std::int64_t{1000},
           .help = "applied updates (steps, where every step is one) between two drops",
           .least = 1,
           .unit = "updates"},
          {.name = "factor",
           .fallback = 0.1,
           .help = "what is left at each drop",
           .least = 0,
           .most = 1}}},
        {"polynomial",
         "falls as (1 - done) to `power`, done being the share of its applied updates",
         {warmup(),
          {.name = "power", .fallback = 1.0, .help = "1 is a straight line", .least = 0},
          endShare(),
          length()}},
        {"cosine", "falls along half a cosine", {warmup(), endShare(), length()}},
    };
}

} // namespace

const std::vector<SettingKind>& rateSchedules() {
    static const std::vector<SettingKind> list = makeSchedules();
    return list;
}

double learningRate(const TrainingSettings& training, std::int64_t step, std::int64_t steps) {
    const auto known = std::ranges::find(rateSchedules(), training.schedule, &SettingKind::name);
    ensure(known != rateSchedules().end(), "the settings of a design were checked");
    const Attributes with = completed(training.scheduleAttributes, known->attributes);
    const std::int64_t warm = with.integer("warmup_steps");
    if (step < warm) {
        return training.learningRate * static_cast<double>(step + 1) / static_cast<double>(warm);
    }
    const std::int64_t own = with.has("steps") ? with.integer("steps") : 0;
    const double length =
        static_cast<double>(std::max<std::int64_t>(1, (own > 0 ? own : steps) - warm));
    const double done = std::min(1.0, static_cast<double>(step - warm) / length);
    double share = 1;
    if (training.schedule == "step") {
        const std::int64_t drops = step / with.integer("every");
        share = std::pow(with.real("factor"), static_cast<double>(drops));
    } else if (training.schedule == "polynomial") {
        share = with.real("end") + (1 - with.real("end")) * std::pow(1 - done, with.real("power"));
    } else if (training.schedule == "cosine") {
        share = with.real("end") +
                (1 - with.real("end")) * 0.5 * (1 + std::cos(std::numbers::pi * done));
    }
    return training.learningRate * share;
}

} // namespace weft
