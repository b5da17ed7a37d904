// SPDX-License-Identifier: Apache-2.0
#include "base/files/output_file.h"
#include "base/text/json.h"
#include "data/arrays/array.h"
#include "data/arrays/safetensors.h"
#include <weft/error.h>

#include <nlohmann/json.hpp>

#include <array>
#include <set>

namespace weft {

namespace {

std::string_view fileName(DType dtype) {
    switch (dtype) {
    case DType::f32: return "F32";
    case DType::f64: return "F64";
    case DType::f16: return "F16";
    case DType::bf16: return "BF16";
    case DType::i64: return "I64";
    case DType::i32: return "I32";
    case DType::u8: break;
    }
    return "U8";
}

} // namespace

struct SafetensorsWriter::State {
    explicit State(const std::filesystem::path& path) : file(path) {}

    OutputFile file;
    std::int64_t announced = 0;
    std::int64_t written = 0;
};

SafetensorsWriter::SafetensorsWriter(const std::filesystem::path& path,
                                     const std::vector<TensorHeading>& tensors,
                                     const std::map<std::string, std::string>& metadata)
    : state_(std::make_unique<State>(path)) {
    Json header = Json::object();
    if (!metadata.empty()) {
        header["__metadata__"] = metadata;
    }
    // Filled as a list of pairs, because inserting into an ordered object is linear.
    auto& members = header.get_ref<Json::object_t&>();
    std::set<std::string_view> names;
    for (const TensorHeading& tensor : tensors) {
        const auto bytes = bytesOf(tensor.shape, byteSize(tensor.dtype));
        ensure(bytes.has_value(), "an announced tensor has a size");
        ensure(tensor.name != "__metadata__" && names.insert(tensor.name).second,
               "announced tensors have names of their own");
        const std::int64_t begin = state_->announced;
        state_->announced += *bytes;
        Json entry = {{"dtype", fileName(tensor.dtype)},
                      {"shape", tensor.shape},
                      {"data_offsets", {begin, state_->announced}}};
        members.push_back(Json::object_t::value_type(tensor.name, std::move(entry)));
    }
    std::string text = jsonText(header);
    // Padded with spaces to 8 bytes, so that other programs can map the tensors.
    text.resize((text.size() + 7) / 8 * 8, ' ');
    std::array<std::byte, 8> length = {};
    for (std::size_t i = 0; i < length.size(); ++i) {
        length[i] = std::byte(text.size() >> (8 * i) & 0xFFU);
    }
    state_->file.write(length);
    state_->file.write(text);
}

SafetensorsWriter::~SafetensorsWriter() = default;

void SafetensorsWriter::write(std::span<const std::byte> bytes) {
    state_->written += static_cast<std::int64_t>(bytes.size());
    ensure(state_->written <= state_->announced, "no more bytes are written than announced");
    state_->file.write(bytes);
}

void SafetensorsWriter::finish() {
    ensure(state_->written == state_->announced, "all announced tensors are written");
    state_->file.commit();
}

} // namespace weft
