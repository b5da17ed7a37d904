// SPDX-License-Identifier: Apache-2.0
#pragma once
// Replaces groups of nodes by the one operator that they spell out: GELU by Erf, layer
// normalization by its primitives, a product and the bias after it. The new nodes have the domain
// `recognisedDomain`, because they need not exist in the model's opset.

#include "exchange/onnx/model.h"
#include <weft/import.h>

#include <string_view>
#include <vector>

namespace weft::onnx {

inline constexpr std::string_view recognisedDomain = "weft";

/// Rewrites the nodes of the model and returns a line for each node that has become part of
/// another.
[[nodiscard]] std::vector<ImportLine> recognisePatterns(Model& model);

} // namespace weft::onnx
