// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/training/training_panel.h"

namespace weft::ui {

namespace {

template <class T>
Setting whole(const char* key, const char* name, const QString& help, T TrainingSettings::*field,
              const QString& unit = {}) {
    const TrainingSettings defaults;
    const auto value = [](const auto& number) {
        if constexpr (std::is_same_v<T, std::int64_t>) {
            return AttributeValue(std::int64_t{number});
        } else if constexpr (std::is_same_v<T, double>) {
            return AttributeValue(double{number});
        } else {
            return AttributeValue(std::string(number));
        }
    };
    return {QLatin1String("training.") + QLatin1String(key),
            {.name = name,
             .fallback = value(defaults.*field),
             .help = help.toStdString(),
             .least = 0.0,
             .unit = unit.toStdString()},
            [field, value](const Design& design) { return value(design.training.*field); }};
}

Setting choice(Setting setting, std::vector<std::string> words) {
    setting.spec.choices = std::move(words);
    setting.spec.least.reset();
    return setting;
}

/// Momentum and its like: by the optimizer's own name for it.
Setting ofOptimizer(const char* name, double fallback, const QString& help) {
    return {QLatin1String("training.optimizer.with.") + QLatin1String(name),
            {.name = name, .fallback = fallback, .help = help.toStdString(), .least = 0.0},
            [name = std::string(name), fallback](const Design& design) {
                const Attributes& given = design.training.optimizerAttributes;
                return AttributeValue(given.has(name) ? given.real(name) : fallback);
            }};
}

std::vector<Setting> settings() {
    using T = TrainingSettings;
    const auto tr = [](const char* text) { return TrainingPanel::tr(text); };
    return {
        choice(whole("optimizer", "optimizer", tr("How a gradient changes a parameter"),
                     &T::optimizer),
               {"sgd", "adam", "adamw"}),
        whole("learning_rate", "rate", tr("Learning rate at the beginning"), &T::learningRate),
        choice(
            whole("schedule", "schedule", tr("How the rate changes over the steps"), &T::schedule),
            {"constant", "step", "polynomial", "cosine"}),
        ofOptimizer("momentum", 0, tr("Share of the last change that goes on (sgd)")),
        ofOptimizer("weight_decay", 0, tr("Pulls parameters towards zero")),
        whole("clip_norm", "clip_norm", tr("Longest gradient; 0: any"), &T::clipNorm),
        whole("epochs", "epochs", tr("Stop after; 0: no such limit"), &T::epochs),
        whole("steps", "steps", tr("Stop after; 0: no such limit"), &T::steps),
        whole("evaluate_every", "evaluate_every", tr("0: after each epoch"), &T::evaluateEvery,
              tr("steps")),
        whole("checkpoint_every", "checkpoint_every", tr("0: after each epoch"),
              &T::checkpointEvery, tr("steps")),
        whole("seed", "seed", tr("The same seed gives the same numbers"), &T::seed),
        choice(whole("order", "order", tr("In which order what is ready is computed"), &T::order),
               {"sequential", "depth", "dataflow"}),
        whole("bucket_megabytes", "gradient_bucket",
              tr("Gradients are reduced in pieces of this size"), &T::bucketMegabytes,
              QStringLiteral("MB"))};
}

} // namespace

TrainingPanel::TrainingPanel(Bench& bench, QWidget* parent)
    : SettingForm(bench, settings(), parent) {}

} // namespace weft::ui
