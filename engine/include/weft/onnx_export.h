// SPDX-License-Identifier: Apache-2.0
#pragma once
// Exports a design and its weights as an ONNX model: the part that inference uses, for any batch
// size. What ONNX cannot express is refused by layer, all refusals at once.

#include <weft/design.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace weft {

inline constexpr std::int64_t oldestExportedOpset = 17;
inline constexpr std::int64_t newestExportedOpset = 24;

struct OnnxExportRequest {
    Design design;
    /// Safetensors or a checkpoint, by layer name. Empty: the initial weights of the design's seed.
    std::filesystem::path weights = {}; ///< empty: the initial weights of the design's seed
    std::int64_t opset = oldestExportedOpset;
};

/// A layer that ONNX cannot express.
struct OnnxRefusal {
    std::string layer;  ///< name of the layer
    std::string kind;   ///< "lca"
    std::string reason; ///< "ONNX has no operator for it"
    bool operator==(const OnnxRefusal&) const = default;
};
/// "layer code (lca): ONNX has no operator for it; mute the layer to export the rest"
[[nodiscard]] std::string toString(const OnnxRefusal& refusal);

struct OnnxExport {
    std::string model;                      ///< content of the file; empty if a layer is refused
    std::size_t nodes = 0;                  ///< number of nodes
    std::size_t weights = 0;                ///< number of tensors of weights
    std::vector<OnnxRefusal> refusals = {}; ///< layers that ONNX cannot express
    std::vector<std::string> remarks = {};  ///< what the model does not say, a sentence each
};

/// Throws Error{design} if errors keep the design from running, Error{format} if the weights do not
/// fit it, Error{usage} for an opset that is not exported and for a model of more than 2 GB, and
/// Error{file} if this build has no ONNX writer (readsOnnx).
[[nodiscard]] OnnxExport exportOnnx(const OnnxExportRequest& request);

} // namespace weft
