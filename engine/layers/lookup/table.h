// SPDX-License-Identifier: Apache-2.0
#pragma once
// Initial contents of tables of learned rows.

#include "layers/layer.h"

namespace weft::layers {

/// Returns the initialiser that `init` requests; the default is the standard normal distribution,
/// as in PyTorch's Embedding.
[[nodiscard]] Initialiser tableInitialiser(const Lowering& lowering);

} // namespace weft::layers
