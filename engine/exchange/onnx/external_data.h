// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads tensor data that an ONNX model keeps in another file. Only regular files inside the model's
// folder are read, and only without links on the way.

#include <cstdint>
#include <filesystem>
#include <string>

namespace weft::onnx {

struct ExternalData {
    std::string location; ///< relative to the model's folder
    std::int64_t offset = 0;
    std::int64_t length = -1; ///< -1: not given
};

/// Returns exactly `bytes` bytes. Throws Error{format} naming the model and the tensor.
[[nodiscard]] std::string readExternal(const std::filesystem::path& model,
                                       const std::string& tensor, const ExternalData& data,
                                       std::int64_t bytes);

} // namespace weft::onnx
