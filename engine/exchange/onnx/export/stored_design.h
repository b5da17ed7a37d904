// SPDX-License-Identifier: Apache-2.0
#pragma once
// The design that an exported model carries in its metadata, with a hash of the graph that it was
// exported to: a model that another program changed after the export is imported by its nodes.

#include "exchange/onnx/model.h"
#include <weft/import.h>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace weft {
struct Registry;
}

namespace weft::onnx {

inline constexpr const char* designKey = "weft.design"; ///< the design as text
inline constexpr const char* graphKey = "weft.graph";   ///< `graphHash`

/// Returns a hash of what the model computes: opset, inputs, outputs, operators, attributes and
/// constants. Of constants in `weights` only type and shape count, so that a model may be trained
/// further elsewhere. Names of nodes and the way in which numbers are stored do not count.
[[nodiscard]] std::string graphHash(const Model& model,
                                    const std::unordered_set<std::string_view>& weights);

/// Returns the design of the metadata with the model's weights. If it is not that of the graph, or
/// cannot be read, returns none, and `why`: "is of another graph".
[[nodiscard]] std::optional<Import> importStoredDesign(const Model& model, const Registry& registry,
                                                       std::string& why);

} // namespace weft::onnx
