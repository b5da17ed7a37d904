// SPDX-License-Identifier: Apache-2.0
#pragma once
// How tables of learned rows begin.

#include "layers/layer.h"

namespace weft::layers {

/// As `init` says; by default the standard normal distribution, as PyTorch's Embedding.
[[nodiscard]] Initialiser tableInitialiser(const Lowering& lowering);

} // namespace weft::layers
