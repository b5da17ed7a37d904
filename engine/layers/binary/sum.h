// SPDX-License-Identifier: Apache-2.0
#pragma once
// The sum of two values of different shapes.

#include "layers/layer.h"

namespace weft::layers {

/// Returns a + b. Values of different shapes are added as a - (-b), which is the same number: the
/// op `add` takes equal shapes only.
[[nodiscard]] inline ValueId broadcastSum(Lowering& lowering, ValueId a, ValueId b) {
    if (lowering.shape(a) == lowering.shape(b)) {
        return lowering.add("add", {a, b});
    }
    return lowering.add("subtract", {a, lowering.add("neg", {b})});
}

} // namespace weft::layers
