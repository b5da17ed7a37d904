// SPDX-License-Identifier: Apache-2.0
#pragma once
// Converts the lowered part of a design that inference uses to the graph of an ONNX model. The
// first dim of all inputs and outputs is the symbolic dim "batch".

#include "exchange/onnx/model.h"
#include "lower/lower.h"
#include <weft/onnx_export.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace weft::onnx {

/// Batch size for which a design is lowered before it is exported; its number is not in the model.
inline constexpr std::int64_t loweredBatch = 2;

using LayerOutput = std::pair<Origin, std::string>; ///< a layer and its output port

struct ExportedGraph {
    Model model;                                     ///< without the weights
    std::vector<OnnxRefusal> refusals;               ///< layers that ONNX cannot express
    std::map<std::string, LayerOutput> layerOutputs; ///< by name of the value in the model
};

/// `lowered` is `design` lowered for inference with `loweredBatch`, with its outputs as results.
[[nodiscard]] ExportedGraph exportGraph(const ExpandedDesign& design, const Lowered& lowered,
                                        std::int64_t opset);

/// Returns true if the slot is a constant of the model: a parameter, or statistics.
[[nodiscard]] bool isWeight(const Slot& slot);

} // namespace weft::onnx
