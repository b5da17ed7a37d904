// SPDX-License-Identifier: Apache-2.0
#pragma once
// What losses and metrics share: how a number per example becomes one number, how it joins the
// total, and which examples count.

#include "layers/layer.h"

namespace weft::layers {

/// "weight": how much the loss counts in the total.
[[nodiscard]] AttributeSpec weightSpec();
/// "ignore": a target whose examples do not count; empty: all count.
[[nodiscard]] AttributeSpec ignoreSpec();
/// `{"ignore": n}` for the ops, with PyTorch's -100 where the layer ignores nothing.
[[nodiscard]] Attributes ignoreAttributes(const Lowering& lowering);
[[nodiscard]] bool ignoresSome(const Lowering& lowering);

/// The mean of one number per example: over all of them, or over those that count.
[[nodiscard]] ValueId meanOfCounted(Lowering& lowering, ValueId perExample, ValueId target);
/// Weighs the loss, makes it a result of the layer's name and the port `loss`.
void finishLoss(Lowering& lowering, ValueId loss);

} // namespace weft::layers
