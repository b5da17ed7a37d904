// SPDX-License-Identifier: Apache-2.0
#pragma once
// Helpers for losses and metrics: how a number per example becomes one number, how it is added to
// the total, and which examples count.

#include "layers/layer.h"

namespace weft::layers {

/// "weight": factor of the loss in the total.
[[nodiscard]] AttributeSpec weightSpec();
/// "ignore": a target whose examples do not count; empty: all count.
[[nodiscard]] AttributeSpec ignoreSpec();
/// Returns `{"ignore": n}` for the ops, with PyTorch's -100 if the layer ignores nothing.
[[nodiscard]] Attributes ignoreAttributes(const Lowering& lowering);
[[nodiscard]] bool ignoresSome(const Lowering& lowering); ///< true if `ignore` is set

/// Returns the mean of one number per example, over all examples or those that count.
[[nodiscard]] ValueId meanOfCounted(Lowering& lowering, ValueId perExample, ValueId target);
/// Applies the weight, and makes the loss a result with the layer's name and the output of port
/// `loss`.
void finishLoss(Lowering& lowering, ValueId loss);

} // namespace weft::layers
