// SPDX-License-Identifier: Apache-2.0
// batch_norm: y = gamma (x - mean) / sqrt(variance + epsilon) + beta per channel. Training uses
// mean and variance of the batch; otherwise the running statistics are used, which follow those of
// the batch with the unbiased variance.
#include "layers/layer.h"

#include <fmt/format.h>

namespace weft::layers {

namespace {

Initialiser constant(double value) { return {"constant", {{"value", value}}}; }

/// Moves a running statistic towards the batch's.
void follow(Lowering& lowering, SlotId slot, ValueId observed, double scale) {
    Builder& builder = lowering.builder();
    const ValueId next =
        lowering.add("running_statistics", {builder.valueOf(slot), observed},
                     {{"momentum", lowering.attributes().real("momentum")}, {"scale", scale}});
    builder.write(slot, next);
}

void lowerBatchNorm(Lowering& lowering) {
    const ValueId x = lowering.input("x");
    const Shape shape = lowering.shape(x);
    if (shape.size() < 2) {
        lowering.refuse(
            fmt::format("input is {}; batch_norm expects [batch, channels, ...]", toString(shape)),
            "x");
        return;
    }
    const Shape perChannel{shape[1]};
    const std::int64_t count = elementsOf(shape) / shape[1];
    const bool isTraining = lowering.mode() == Mode::train;
    if (isTraining && count < 2) {
        lowering.refuse(
            fmt::format("input is {}; training needs more than one number per channel to compute a "
                        "variance: use a larger batch, or set data.last_batch to drop",
                        toString(shape)),
            "x");
        return;
    }
    const ValueId gamma = lowering.parameter("weight", perChannel, constant(1));
    const ValueId beta = lowering.parameter("bias", perChannel, constant(0));
    const SlotId mean =
        lowering.slot("running_mean", SlotKind::statistics, perChannel, constant(0));
    const SlotId variance =
        lowering.slot("running_var", SlotKind::statistics, perChannel, constant(1));
    Builder& builder = lowering.builder();
    const Attributes epsilon = {{"epsilon", lowering.attributes().real("epsilon")}};
    if (!isTraining) {
        lowering.output(
            "y", lowering.add("batch_norm_inference",
                              {x, builder.valueOf(mean), builder.valueOf(variance), gamma, beta},
                              epsilon));
        return;
    }
    const std::vector<ValueId> norm = builder.addAll("batch_norm", {x, gamma, beta}, epsilon);
    lowering.output("y", norm[0]);
    const Pass pass = builder.pass();
    builder.setPass(Pass::update);
    follow(lowering, mean, norm[1], 1);
    follow(lowering, variance, norm[2],
           static_cast<double>(count) / static_cast<double>(count - 1));
    builder.setPass(pass);
}

} // namespace

void batch_norm(LayerList& list) {
    list.add(
        {.info =
             {.kind = "batch_norm",
              .title = "Batch normalisation",
              .category = "normalisation",
              .help =
                  "Batch normalization: normalizes each channel to mean 0 and variance 1 over "
                  "batch, rows and columns, then applies a learned scale and shift. Training uses "
                  "the statistics of the batch (biased variance) and updates the running "
                  "statistics: running = (1 - momentum) running + momentum observed, with the "
                  "unbiased variance. Evaluation uses the running statistics. With any assignment "
                  "the statistics are those of the whole global batch. PyTorch: BatchNorm1d, "
                  "BatchNorm2d (under data parallelism SyncBatchNorm); ONNX: BatchNormalization.",
              .synonyms = {"bn", "batchnorm", "batch normalization", "norm"},
              .inputs = {{.name = "x",
                          .help = "[batch, channels] or [batch, channels, rows, columns]"}},
              .outputs = {{.name = "y", .help = "shape of x"}},
              .attributes = withUpdateAttributes(
                  {{.name = "epsilon",
                    .defaultValue = 1e-5,
                    .help = "Added to the variance for numerical stability.",
                    .least = 0},
                   {.name = "momentum",
                    .defaultValue = 0.1,
                    .help = "Momentum of the running mean and variance, in PyTorch's convention.",
                    .least = 0,
                    .most = 1},
                   {.name = "statistics",
                    .defaultValue = std::string("global"),
                    .help = "global: statistics of the whole global batch under any assignment.",
                    .choices = {"global"}}}),
              .parameters = {{.name = "weight", .help = "[channels], gamma; initially 1"},
                             {.name = "bias", .help = "[channels], beta; initially 0"},
                             {.name = "running_mean", .help = "[channels], not trained"},
                             {.name = "running_var", .help = "[channels], unbiased, not trained"}}},
         .lower = lowerBatchNorm,
         .samples = {{.inputs = {{5, 4}}},
                     {.inputs = {{3, 5, 4, 3}}, .attributes = {{"momentum", 0.3}}},
                     {.inputs = {{2, 1, 1, 3}}, .attributes = {{"epsilon", 0.01}}}}});
}

} // namespace weft::layers
