// SPDX-License-Identifier: Apache-2.0
#pragma once
// Parses a file as a protobuf message. Its parts are counted first, because each takes a hundred
// times as much memory as the two bytes that it can have in the file.

#include <google/protobuf/message.h>

#include <filesystem>

namespace weft::onnx {

/// Largest number of messages and strings in a file, all together.
inline constexpr std::size_t mostParts = 2'000'000;

/// Throws Error{format} naming the file if it is not `kind`, such as "an ONNX model", is damaged or
/// has too many parts; Error{file} if it cannot be read.
void parseFile(const std::filesystem::path& file, google::protobuf::Message& message,
               const char* kind);

} // namespace weft::onnx
