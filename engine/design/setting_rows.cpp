// SPDX-License-Identifier: Apache-2.0
#include "design/setting_rows.h"

#include <algorithm>
#include <limits>

namespace weft {

namespace {

/// Upper limits; larger counts and times would overflow.
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
                  .defaultValue = usual.source,
                  .help = "Data source.",
                  .required = true},
         .field = &D::source,
         .with = &D::attributes},
        {.code = "E504",
         .spec = {.name = "batch",
                  .defaultValue = usual.batch,
                  .help = "Global batch size: examples per step, over all devices together. In "
                          "layers with state per example, such as lca, each batch element is a "
                          "network of its own whose state carries over to the next step.",
                  .least = 1},
         .field = &D::batch,
         .isAlwaysWritten = true},
        {.code = "E505",
         .spec = {.name = "validation",
                  .defaultValue = usual.validation,
                  .help = "Fraction of the examples held out for validation, if the source has no "
                          "validation split of its own.",
                  .least = 0,
                  .below = 1},
         .field = &D::validation},
        {.code = "E506",
         .spec = {.name = "order",
                  .defaultValue = usual.order,
                  .help =
                      "Order of the examples. shuffled: reshuffled every epoch; file: the order of "
                      "the source. Movies are played in the order that their source sets.",
                  .choices = {"shuffled", "file"}},
         .field = &D::order},
        {.code = "E507",
         .spec = {.name = "last_batch",
                  .defaultValue = usual.lastBatch,
                  .help = "What to do with the incomplete last batch of an epoch. keep: train on "
                          "the short batch; drop: skip it, as PyTorch's drop_last; wrap: fill it "
                          "up with the first examples.",
                  .choices = {"keep", "drop", "wrap"}},
         .field = &D::lastBatch},
    };
}

constexpr double largestRate = 1e38; // larger values are infinite in single precision

/// Returns the settings of how parameters change.
std::vector<Training> learningRows() {
    using T = TrainingSettings;
    const T usual;
    return {
        {.code = "E061",
         .spec = {.name = "optimizer", .defaultValue = usual.optimizer, .help = "Optimizer."},
         .field = &T::optimizer,
         .with = &T::optimizerAttributes,
         .isAlwaysWritten = true},
        {.code = "E064",
         .spec = {.name = "learning_rate",
                  .defaultValue = usual.learningRate,
                  .help = "Initial learning rate, after the warm-up.",
                  .most = largestRate,
                  .above = 0},
         .field = &T::learningRate,
         .isAlwaysWritten = true},
        {.code = "E062",
         .spec = {.name = "schedule",
                  .defaultValue = usual.schedule,
                  .help = "Learning rate schedule. It counts optimizer updates, which are the "
                          "steps unless update_period or sync_every is above 1."},
         .field = &T::schedule,
         .with = &T::scheduleAttributes},
        {.code = "E065",
         .spec = {.name = "clip_norm",
                  .defaultValue = usual.clipNorm,
                  .help = "Clip the global gradient norm to this value, as PyTorch's "
                          "clip_grad_norm_. 0: no clipping.",
                  .least = 0},
         .field = &T::clipNorm},
    };
}

/// Returns the settings of when parameters change.
std::vector<Training> syncRows() {
    using T = TrainingSettings;
    const T usual;
    return {
        {.code = "E068",
         .spec = {.name = "update_period",
                  .defaultValue = usual.updatePeriod,
                  .help = "Compute gradients only on every n-th step. The other steps run the "
                          "forward pass alone. `weft words` explains step, update and sync.",
                  .least = 1,
                  .most = mostPeriod,
                  .unit = "steps"},
         .field = &T::updatePeriod},
        {.code = "E068",
         .spec = {.name = "first_update",
                  .defaultValue = usual.firstUpdate,
                  .help = "The first step that computes gradients, counted from 1. `weft words` "
                          "explains step, update and sync.",
                  .least = 1,
                  .most = mostPeriod},
         .field = &T::firstUpdate},
        {.code = "E068",
         .spec = {.name = "sync_every",
                  .defaultValue = usual.syncEvery,
                  .help = "Gradient accumulation: the optimizer applies the mean of this many "
                          "updates at once, and the weights stay constant in between. Learning "
                          "rate, momentum and other optimizer state advance once per applied mean. "
                          "The assignment does not change the result: with `data` the devices "
                          "reduce gradients at every update, with `batch` once per applied mean. "
                          "`weft words` explains step, update and sync.",
                  .least = 1,
                  .most = mostPeriod,
                  .unit = "updates"},
         .field = &T::syncEvery},
        {.code = "E068",
         .spec =
             {.name = "sync",
              .defaultValue = usual.sync,
              .help =
                  "When an accumulated mean is applied. at once: right after its last update. one "
                  "period late: at the end of the next period, so that with `batch` its all-reduce "
                  "overlaps with computation; the weights then lag one period behind. A mean that "
                  "is not yet applied when a run ends is saved in the checkpoint.",
              .choices = {"at once", "one period late"}},
         .field = &T::sync},
    };
}

/// Returns the settings of when a run ends.
std::vector<Training> goalRows() {
    using T = TrainingSettings;
    const T usual;
    return {
        {.code = "E066",
         .spec = {.name = "steps",
                  .defaultValue = usual.steps,
                  .help = "Stop after this many steps. 0: no limit.",
                  .least = 0},
         .field = &T::steps},
        {.code = "E066",
         .spec = {.name = "epochs",
                  .defaultValue = usual.epochs,
                  .help = "Stop after this many epochs. 0: no limit. A design without any limit "
                          "trains for one epoch.",
                  .least = 0,
                  .most = mostEpochs},
         .field = &T::epochs},
        {.code = "E066",
         .spec = {.name = "seconds",
                  .defaultValue = usual.seconds,
                  .help = "Stop after this many seconds. 0: no limit.",
                  .least = 0,
                  .most = mostSeconds,
                  .unit = "s"},
         .field = &T::seconds},
        {.code = "E067",
         .spec = {.name = "target.metric",
                  .defaultValue = usual.targetMetric,
                  .help =
                      "Stop when this validation metric reaches `target.value`. Give the name of a "
                      "metric or loss layer, a metric of a layer (code.energy, code.dead), `loss`, "
                      "or `energy` if the design has no loss. Empty: no target."},
         .field = &T::targetMetric},
        {.code = "E067",
         .spec = {.name = "target.value",
                  .defaultValue = usual.target,
                  .help = "Value that the target metric has to reach. Losses, energies, dead atoms "
                          "and activity must fall to it; all other metrics must rise to it."},
         .field = &T::target},
    };
}

/// Returns the settings of what a run does on the way.
std::vector<Training> onTheWayRows() {
    using T = TrainingSettings;
    const T usual;
    return {
        {.code = "E066",
         .spec = {.name = "evaluate_every",
                  .defaultValue = usual.evaluateEvery,
                  .help = "Run validation every n steps. 0: after each epoch.",
                  .least = 0,
                  .unit = "steps"},
         .field = &T::evaluateEvery},
        {.code = "E066",
         .spec = {.name = "checkpoint_every",
                  .defaultValue = usual.checkpointEvery,
                  .help = "Save a checkpoint every n steps. 0: after each epoch.",
                  .least = 0,
                  .unit = "steps"},
         .field = &T::checkpointEvery},
        {.code = "E066",
         .spec = {.name = "series_every",
                  .defaultValue = usual.seriesEvery,
                  .help = "Record values per iteration, such as the energy after each iteration of "
                          "lca, every n steps: one file per step in the run's folder series/, of "
                          "which the newest 10000 are kept. 0: only when a layer is observed.",
                  .least = 0,
                  .unit = "steps"},
         .field = &T::seriesEvery},
    };
}

Training precisionRow() {
    return {
        .code = "E063",
        .spec =
            {.name = "precision",
             .defaultValue = TrainingSettings{}.precision,
             .help =
                 "Precision of matrix products and convolutions. exact: f32. tf32: operands are "
                 "rounded to TF32 (10 bits of mantissa) on GPUs with tensor cores, for "
                 "convolutions, dense layers and attention; other devices compute in f32. bf16: "
                 "mixed precision; operands and activations are bf16 (7 bits of mantissa, half the "
                 "memory) on NVIDIA GPUs of compute capability 8.0 and later; other devices are "
                 "refused. Sums, weights, gradients of weights and optimizer state stay f32.",
             .choices = {"exact", "tf32", "bf16"},
             .synonyms = {{"f32", "exact"},
                          {"fp32", "exact"},
                          {"float32", "exact"},
                          {"single", "exact"},
                          {"bfloat16", "bf16"},
                          {"f16", ""}}},
        .field = &TrainingSettings::precision};
}

/// Returns the settings of how a step is computed.
std::vector<Training> computingRows() {
    using T = TrainingSettings;
    const T usual;
    return {
        {.code = "E066",
         .spec = {.name = "seed",
                  .defaultValue = usual.seed,
                  .help = "Random seed of initial weights, shuffling and dropout. The same seed "
                          "gives the same numbers.",
                  .most = static_cast<double>(std::numeric_limits<std::int64_t>::max())},
         .field = &T::seed},
        {.code = "E063",
         .spec =
             {.name = "order",
              .defaultValue = usual.order,
              .help =
                  "Execution order. sequential: one op after the other; depth: ops of equal depth "
                  "run side by side; dataflow: every op starts when its inputs are ready.",
              .choices = {"sequential", "depth", "dataflow"}},
         .field = &T::order},
        {.code = "E066",
         .spec = {.name = "streams",
                  .defaultValue = usual.streams,
                  .help = "Number of streams per device. 0: automatic; more than one only if the "
                          "step clearly ends sooner.",
                  .least = 0,
                  .most = 64},
         .field = &T::streams,
         .formerName = "lanes"},
        {.code = "E076",
         .spec = {.name = "communicator",
                  .defaultValue = usual.communicator,
                  .help = "How devices communicate. chosen: directly where possible (NCCL between "
                          "GPUs, device memory between workers on one GPU), otherwise through host "
                          "memory; host: through host memory only; devices: directly only, and a "
                          "design for which that is impossible is refused.",
                  .choices = {"chosen", "host", "devices"}},
         .field = &T::communicator,
         .formerName = "room"},
        {.code = "E065",
         .spec = {.name = "bucket_megabytes",
                  .defaultValue = usual.bucketMegabytes,
                  .help = "Bucket size: gradients are all-reduced in buckets of about this size, "
                          "as DistributedDataParallel's bucket_cap_mb.",
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
    const auto found = std::ranges::find_if(rows, [&](const SettingRow<Settings>& row) {
        return row.spec.name == name || (!name.empty() && row.formerName == name);
    });
    return found == rows.end() ? nullptr : &*found;
}

/// Calls `read` with the row of the key and the settings that contain it.
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

std::string currentKey(std::string_view key) {
    for (const Training& row : trainingRows()) {
        if (!row.formerName.empty() && key == "training." + row.formerName) {
            return "training." + row.spec.name;
        }
    }
    return std::string(key);
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
