// SPDX-License-Identifier: Apache-2.0
#pragma once
// Writes an ONNX model as protobuf: the counterpart of readModel.

#include "exchange/onnx/export/device_fields.h"
#include "exchange/onnx/model.h"

#include <string>

namespace weft::onnx {

/// Largest size of a protobuf message.
inline constexpr std::int64_t mostModelBytes = 2'147'483'647;

/// Returns the content of a file. Constants give up their numbers one after the other, so that
/// memory holds them once. `devices` is written from IR 11 on. Throws Error{usage} if the model is
/// larger than a protobuf message can be, and Error{file} in a build without protobuf.
[[nodiscard]] std::string bytesOf(Model model, const DeviceFields& devices);

/// Returns the IR version that came with an opset.
[[nodiscard]] std::int64_t irVersionOf(std::int64_t opset);

} // namespace weft::onnx
