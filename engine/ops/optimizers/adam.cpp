// SPDX-License-Identifier: Apache-2.0
// Adam as PyTorch's Adam and, decoupled, AdamW, with r = rate_scale * rate and t the step from 1:
//   g' = g + weight_decay w, or, decoupled, g' = g and w first becomes w (1 - r weight_decay)
//   m' = beta1 m + (1 - beta1) g';  v' = beta2 v + (1 - beta2) g'^2
//   w' = w - r / (1 - beta1^t) m' / (sqrt(v') / sqrt(1 - beta2^t) + epsilon)
#include "ops/optimizers/update.h"

namespace weft::ops {

namespace {

std::vector<AttributeSpec> adamAttributes() {
    return {{.name = "beta1", .defaultValue = 0.9, .help = "Decay rate of the first moment."},
            {.name = "beta2", .defaultValue = 0.999, .help = "Decay rate of the second moment."},
            denominatorEpsilon(),
            {.name = "weight_decay",
             .defaultValue = 0.0,
             .help = "Weight decay; decoupled chooses how it is applied."},
            {.name = "decoupled",
             .defaultValue = false,
             .help = "Decoupled weight decay (AdamW) instead of an L2 term in the gradient."},
            rateScale()};
}

/// Scales the drawn step to at least 1: ten times a number from (0.1, 2).
std::vector<ValueId> withStep(Builder& builder, const std::vector<ValueId>& drawn) {
    const ValueId step = builder.add("cast", {builder.add("scale", {drawn[5]}, {{"factor", 10.0}})},
                                     {{"dtype", std::string("i64")}});
    return {drawn[0], drawn[1], drawn[2], drawn[3], drawn[4], step};
}

} // namespace

void adam(OpList& list) {
    Op op{.name = "adam",
          .help = "One update of Adam or AdamW: the parameter, the mean of gradients and the mean "
                  "of their squares.",
          .inputs = {{"w"},
                     {"g"},
                     {"m"},
                     {"v"},
                     {"rate", OperandType::number},
                     {"step", OperandType::integer}},
          .outputs = {"w_next", "m_next", "v_next"},
          .attributes = adamAttributes(),
          .shape = updateShape(2),
          .placement = "~..., ~..., ~..., ~..., ~(), ~() -> ..., ..., ...",
          .cost = perElement(14),
          .inPlace = {{0, 0}, {2, 1}, {3, 2}}};
    for (const Shape& w : sampleParameters()) {
        op.samples.push_back({.inputs = {w, w, w, w, {}, {}},
                              .attributes = {{"weight_decay", 0.1},
                                             {"decoupled", w.size() == 2},
                                             {"rate_scale", 0.5}},
                              .positive = true,
                              .operands = withStep});
    }
    list.add(std::move(op));
}

} // namespace weft::ops
