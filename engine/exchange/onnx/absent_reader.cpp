// SPDX-License-Identifier: Apache-2.0
// Stands in for read_model.cpp and write_model.cpp in a build without protobuf.
#include "exchange/onnx/export/write_model.h"
#include "exchange/onnx/model.h"
#include <weft/error.h>
#include <weft/import.h>

namespace weft {

bool readsOnnx() { return false; }

namespace onnx {

namespace {

[[noreturn]] void throwAbsent(const std::filesystem::path& file) {
    throw Error(ErrorCode::file, Where{.file = file.string()},
                "this build of Weft neither reads nor writes ONNX",
                "install libprotobuf-dev and protobuf-compiler, and build Weft again");
}

} // namespace

Model readModel(const std::filesystem::path& file) { throwAbsent(file); }
Tensor readTensor(const std::filesystem::path& file) { throwAbsent(file); }
std::string bytesOf(Model /*model*/, const DeviceFields& /*devices*/) { throwAbsent({}); }

} // namespace onnx

} // namespace weft
