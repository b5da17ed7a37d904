// SPDX-License-Identifier: Apache-2.0
#include "design/setting_rows.h"

#include <algorithm>
#include <limits>

namespace weft {

namespace {

/// What no file means: beyond it steps and times are no numbers to count with.
constexpr double mostEpochs = 1e9;
constexpr double mostSeconds = 1e9;
constexpr double mostPeriod = 1e9;

using Data = SettingRow<DataSettings>;
using Training = SettingRow<TrainingSettings>;

std::vector<Data> makeDataRows() {
    using D = DataSettings;
    const D usual;
    return {
        {.code = "E501",
         .spec = {.name = "source",
                  .fallback = usual.source,
                  .help = "where examples come from",
                  .required = true},
         .field = &D::source,
         .with = &D::attributes},
        {.code = "E504",
         .spec = {.name = "batch",
                  .fallback = usual.batch,
                  .help = "examples of one step, over all devices; of layers that remember, such "
                          "as lca, so many networks, each of which goes on with its own",
                  .least = 1},
         .field = &D::batch,
         .isAlwaysWritten = true},
        {.code = "E505",
         .spec = {.name = "validation",
                  .fallback = usual.validation,
                  .help = "share of the examples held out where the source has no split of its own",
                  .least = 0,
                  .below = 1},
         .field = &D::validation},
        {.code = "E506",
         .spec = {.name = "order",
                  .fallback = usual.order,
                  .help = "shuffled: another order in each epoch; file: that of the source; "
                          "films are watched in the order that their source names",
                  .choices = {"shuffled", "file"}},
         .field = &D::order},
        {.code = "E507",
         .spec = {.name = "last_batch",
                  .fallback = usual.lastBatch,
                  .help = "the short one at the end of an epoch: keep it, drop it, or wrap it "
                          "round to the first examples",
                  .choices = {"keep", "drop", "wrap"}},
         .field = &D::lastBatch},
    };
}

constexpr double largestRate = 1e38; // more is infinite in single precision

/// The rows that say how parameters change.
std::vector<Training> learningRows() {
    using T = TrainingSettings;
    const T usual;
    return {
        {.code = "E061",
         .spec = {.name = "optimizer",
                  .fallback = usual.optimizer,
                  .help = "how a gradient changes a parameter"},
         .field = &T::optimizer,
         .with = &T::optimizerAttributes,
         .isAlwaysWritten = true},
        {.code = "E064",
         .spec = {.name = "learning_rate",
                  .fallback = usual.learningRate,
                  .help = "at the beginning, after the warm-up",
                  .most = largestRate,
                  .above = 0},
         .field = &T::learningRate,
         .isAlwaysWritten = true},
        {.code = "E062",
         .spec = {.name = "schedule",
                  .fallback = usual.schedule,
                  .help =
                      "how the rate changes over the applied updates: the steps, where every step "
                      "is one"},
         .field = &T::schedule,
         .with = &T::scheduleAttributes},
        {.code = "E065",
         .spec = {.name = "clip_norm",
                  .fallback = usual.clipNorm,
                  .help = "largest norm of all gradients together; 0: no limit",
                  .least = 0},
         .field = &T::clipNorm},
    };
}

/// The rows that say when parameters change.
std::vector<Training> syncRows() {
    using T = TrainingSettings;
    const T usual;
    return {
        {.code = "E068",
         .spec = {.name = "update_period",
                  .fallback = usual.updatePeriod,
                  .help =
                      "an update is made at every so manyth step; the steps between only go "
                      "forward, and nothing is learnt from them (weft words: what an update is)",
                  .least = 1,
                  .most = mostPeriod,
                  .unit = "steps"},
         .field = &T::updatePeriod},
        {.code = "E068",
         .spec = {.name = "first_update",
                  .fallback = usual.firstUpdate,
                  .help = "the step of the first update, counted from 1 (weft words: what an "
                          "update is)",
                  .least = 1,
                  .most = mostPeriod},
         .field = &T::firstUpdate},
        {.code = "E068",
         .spec = {.name = "sync_every",
                  .fallback = usual.syncEvery,
                  .help = "updates are summed up, and after every so many their mean is applied, "
                          "once: weights stand still in between. Rates, momentum and whatever else "
                          "an optimizer counts go on once per applied mean. How a layer is spread "
                          "changes no number: with `data` the devices add their gradients up at "
                          "every update, with `batch` only once per mean (weft words: what a sync "
                          "is)",
                  .least = 1,
                  .most = mostPeriod,
                  .unit = "updates"},
         .field = &T::syncEvery},
        {.code = "E068",
         .spec = {.name = "sync",
                  .fallback = usual.sync,
                  .help = "when a mean is applied. at once: as soon as its last update is made; "
                          "one period late: at the end of the next period, so that with `batch` it "
                          "travels beside that period's work, and weights are one mean behind. "
                          "What is not yet applied when a run ends is in its checkpoint",
                  .choices = {"at once", "one period late"}},
         .field = &T::sync},
    };
}

/// The rows that say when a run ends.
std::vector<Training> goalRows() {
    using T = TrainingSettings;
    const T usual;
    return {
        {.code = "E066",
         .spec = {.name = "steps",
                  .fallback = usual.steps,
                  .help = "stop after so many; 0: no such limit",
                  .least = 0},
         .field = &T::steps},
        {.code = "E066",
         .spec = {.name = "epochs",
                  .fallback = usual.epochs,
                  .help = "stop after so many passes through the data; 0: no such limit. A design "
                          "without any limit trains for one",
                  .least = 0,
                  .most = mostEpochs},
         .field = &T::epochs},
        {.code = "E066",
         .spec = {.name = "seconds",
                  .fallback = usual.seconds,
                  .help = "stop after; 0: no such limit",
                  .least = 0,
                  .most = mostSeconds,
                  .unit = "s"},
         .field = &T::seconds},
        {.code = "E067",
         .spec = {.name = "target.metric",
                  .fallback = usual.targetMetric,
                  .help = "stop when an evaluation of this metric reaches `target.value`: the name "
                          "of a metric or loss layer, what a layer tells (code.energy, code.dead), "
                          "or loss, energy where there is no loss; empty: no such limit"},
         .field = &T::targetMetric},
        {.code = "E067",
         .spec = {.name = "target.value",
                  .fallback = usual.target,
                  .help = "what it is to reach: from above a loss, an energy, dead atoms or "
                          "activity, from below any other"},
         .field = &T::target},
    };
}

/// The rows that say what a run does on its way.
std::vector<Training> onTheWayRows() {
    using T = TrainingSettings;
    const T usual;
    return {
        {.code = "E066",
         .spec = {.name = "evaluate_every",
                  .fallback = usual.evaluateEvery,
                  .help = "evaluate the examples held out; 0: after each epoch",
                  .least = 0,
                  .unit = "steps"},
         .field = &T::evaluateEvery},
        {.code = "E066",
         .spec = {.name = "checkpoint_every",
                  .fallback = usual.checkpointEvery,
                  .help = "save the run; 0: after each epoch",
                  .least = 0,
                  .unit = "steps"},
         .field = &T::checkpointEvery},
        {.code = "E066",
         .spec = {.name = "series_every",
                  .fallback = usual.seriesEvery,
                  .help =
                      "keep what layers tell of their iterations, such as the energy after each "
                      "one: a file per step in the run's series/, of which the newest 10000 "
                      "are kept; 0: only where a layer is observed",
                  .least = 0,
                  .unit = "steps"},
         .field = &T::seriesEvery},
    };
}

Training precisionRow() {
    return {
        .code = "E063",
        .spec = {.name = "precision",
                 .fallback = TrainingSettings{}.precision,
                 .help =
                     "in which numbers of single precision are multiplied. exact: as they "
                     "are; tf32: rounded to 10 bits, three decimal digits, where a device has "
                     "kernels that do so (of NVIDIA's: convolutions, dense layers and attention) "
                     "and is the faster for it, and other devices compute exactly; bf16: rounded "
                     "to 7 bits, two decimal digits, and so is what they come to and what goes "
                     "from layer to layer, in half the memory, on chips of NVIDIA's of 8.0 and "
                     "later, and other devices are refused. They are summed up in single "
                     "precision, and weights, their gradients and all else stay as they are",
                 .choices = {"exact", "tf32", "bf16"},
                 .synonyms = {{"f32", "exact"},
                              {"fp32", "exact"},
                              {"float32", "exact"},
                              {"single", "exact"},
                              {"bfloat16", "bf16"},
                              {"f16", ""}}},
        .field = &TrainingSettings::precision};
}

/// The rows that say how a step is computed.
std::vector<Training> computingRows() {
    using T = TrainingSettings;
    const T usual;
    return {
        {.code = "E066",
         .spec = {.name = "seed",
                  .fallback = usual.seed,
                  .help = "of weights, shuffles and dropout: the same seed gives the same numbers",
                  .most = static_cast<double>(std::numeric_limits<std::int64_t>::max())},
         .field = &T::seed},
        {.code = "E063",
         .spec = {.name = "order",
                  .fallback = usual.order,
                  .help = "of execution. sequential: one after the other; depth: all of equal "
                          "depth side by side; dataflow: whatever has its inputs",
                  .choices = {"sequential", "depth", "dataflow"}},
         .field = &T::order},
        {.code = "E066",
         .spec = {.name = "lanes",
                  .fallback = usual.lanes,
                  .help = "per device; 0: several only where that clearly ends a step sooner",
                  .least = 0,
                  .most = 64},
         .field = &T::lanes},
        {.code = "E076",
         .spec = {.name = "room",
                  .fallback = usual.room,
                  .help = "where devices exchange what they made. chosen: without their hosts "
                          "where they can (GPUs by NCCL, workers on one GPU in its memory), else "
                          "through these; host: through these alone; devices: without them, or "
                          "the design is refused",
                  .choices = {"chosen", "host", "devices"}},
         .field = &T::room},
        {.code = "E065",
         .spec = {.name = "bucket_megabytes",
                  .fallback = usual.bucketMegabytes,
                  .help = "gradients that travel together",
                  .most = 1e6,
                  .above = 0,
                  .unit = "MB"},
         .field = &T::bucketMegabytes},
        precisionRow(),
    };
}

std::vector<Training> makeTrainingRows() {
    std::vector<Training> rows = learningRows();
    for (auto* more : {&syncRows, &goalRows, &onTheWayRows, &computingRows}) {
        std::ranges::move(more(), std::back_inserter(rows));
    }
    return rows;
}

template <class Settings>
const SettingRow<Settings>* findRow(const std::vector<SettingRow<Settings>>& rows,
                                    std::string_view name) {
    const auto found = std::ranges::find_if(
        rows, [&](const SettingRow<Settings>& row) { return row.spec.name == name; });
    return found == rows.end() ? nullptr : &*found;
}

/// What `read` makes of the row that the key names and of the settings it is in.
template <class Read>
auto onRow(const Design& design, std::string_view key, const Read& read) {
    const std::size_t dot = key.find('.');
    const std::string_view section = key.substr(0, dot);
    const std::string_view name = dot == std::string_view::npos ? "" : key.substr(dot + 1);
    decltype(read(design.data, dataRows().front())) result{};
    if (const auto* row = section == "data" ? findRow(dataRows(), name) : nullptr) {
        result = read(design.data, *row);
    } else if (const auto* other =
                   section == "training" ? findRow(trainingRows(), name) : nullptr) {
        result = read(design.training, *other);
    }
    return result;
}

} // namespace

const std::vector<Data>& dataRows() {
    static const std::vector<Data> rows = makeDataRows();
    return rows;
}

const std::vector<Training>& trainingRows() {
    static const std::vector<Training> rows = makeTrainingRows();
    return rows;
}

std::vector<SettingInfo> settingRows() {
    std::vector<SettingInfo> all;
    for (const Data& row : dataRows()) {
        all.push_back({"data", row.code, row.spec});
    }
    for (const Training& row : trainingRows()) {
        all.push_back({"training", row.code, row.spec});
    }
    return all;
}

const SettingInfo* findSetting(const std::vector<SettingInfo>& settings, std::string_view key) {
    const auto found = std::ranges::find(settings, key, &SettingInfo::key);
    return found == settings.end() ? nullptr : &*found;
}

std::optional<AttributeValue> settingOf(const Design& design, std::string_view key) {
    return onRow(design, key, [](const auto& settings, const auto& row) {
        return std::optional(valueOf(settings, row));
    });
}

Attributes settingAttributes(const Design& design, std::string_view key) {
    return onRow(design, key, [](const auto& settings, const auto& row) {
        return row.with == nullptr ? Attributes() : settings.*row.with;
    });
}

const std::vector<SettingKind>& wireSchemes() {
    static const std::vector<SettingKind> schemes = {
        {"whole", "gathered whole before the layer, its gradient summed back", {}}};
    return schemes;
}

} // namespace weft
