// SPDX-License-Identifier: Apache-2.0
#include "compile/learning_rate.h"

#include <weft/error.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace weft {

namespace {

AttributeSpec warmup(const std::string& then = "The schedule starts after the warm-up.") {
    return {.name = "warmup_steps",
            .defaultValue = std::int64_t{0},
            .help = "Linear warm-up from 0 over this many optimizer updates. " + then,
            .least = 0,
            .unit = "updates"};
}

AttributeSpec endShare() {
    return {.name = "end",
            .defaultValue = 0.0,
            .help = "Final rate as a fraction of learning_rate.",
            .least = 0,
            .most = 1};
}

AttributeSpec length() {
    return {
        .name = "steps",
        .defaultValue = std::int64_t{0},
        .help =
            "Number of optimizer updates until the final rate, which then stays. 0: the whole run.",
        .least = 0,
        .unit = "updates"};
}

std::vector<SettingKind> makeSchedules() {
    return {
        {"constant", "Constant learning rate.", {warmup()}},
        {"step",
         "Multiplies the rate by `factor` every `every` optimizer updates, counted from the start "
         "of the run. PyTorch: StepLR.",
         {warmup("`every` counts the warm-up too; drops that fall into it apply after it."),
          {.name = "every",
           .defaultValue = std::int64_t{1000},
           .help = "Optimizer updates between two drops (StepLR's step_size).",
           .least = 1,
           .unit = "updates"},
          {.name = "factor",
           .defaultValue = 0.1,
           .help = "Factor applied at each drop (StepLR's gamma).",
           .least = 0,
           .most = 1}}},
        {"polynomial",
         "Polynomial decay: (1 - progress) to the power of `power`. PyTorch: PolynomialLR.",
         {warmup(),
          {.name = "power",
           .defaultValue = 1.0,
           .help = "Exponent of the polynomial; 1 is linear.",
           .least = 0},
          endShare(),
          length()}},
        {"cosine",
         "Cosine annealing to the final rate. PyTorch: CosineAnnealingLR.",
         {warmup(), endShare(), length()}},
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
