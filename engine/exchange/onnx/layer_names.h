// SPDX-License-Identifier: Apache-2.0
#pragma once
// Names of imported layers: those of their weights where the exporter kept them ("layer1.conv1" of
// "layer1.conv1.weight"), so that checkpoints keep PyTorch's names; else those of the nodes.

#include "exchange/onnx/convert.h"

#include <string>
#include <string_view>

namespace weft::onnx {

/// Returns the text as a valid name of a layer, or `fallback` if nothing is left.
[[nodiscard]] std::string validLayerName(std::string_view text, std::string_view fallback);
[[nodiscard]] std::string layerName(const Node& node, const LayerRequest& request);

} // namespace weft::onnx
