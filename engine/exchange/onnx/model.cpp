// SPDX-License-Identifier: Apache-2.0
#include "exchange/onnx/model.h"

#include <fmt/format.h>

namespace weft::onnx {

std::string nameOf(Element element) {
    switch (element) {
    case Element::none: return "an unknown type";
    case Element::f32: return "FLOAT";
    case Element::u8: return "UINT8";
    case Element::i8: return "INT8";
    case Element::u16: return "UINT16";
    case Element::i16: return "INT16";
    case Element::i32: return "INT32";
    case Element::i64: return "INT64";
    case Element::text: return "STRING";
    case Element::boolean: return "BOOL";
    case Element::f16: return "FLOAT16";
    case Element::f64: return "DOUBLE";
    case Element::u32: return "UINT32";
    case Element::u64: return "UINT64";
    case Element::bf16: return "BFLOAT16";
    }
    return fmt::format("type {}", static_cast<std::int32_t>(element));
}

bool isFloating(Element element) {
    return element == Element::f32 || element == Element::f16 || element == Element::f64 ||
           element == Element::bf16;
}

std::size_t elementBytes(Element element) {
    switch (element) {
    case Element::u8:
    case Element::i8:
    case Element::boolean: return 1;
    case Element::u16:
    case Element::i16:
    case Element::f16:
    case Element::bf16: return 2;
    case Element::f32:
    case Element::i32:
    case Element::u32: return 4;
    case Element::f64:
    case Element::i64:
    case Element::u64: return 8;
    case Element::none:
    case Element::text: break;
    }
    return 0;
}

std::string Node::label() const {
    if (!name.empty()) {
        return fmt::format("node {} ({})", name, op);
    }
    const std::string* known = nullptr;
    for (const std::string& output : outputs) {
        known = known == nullptr && !output.empty() ? &output : known;
    }
    return fmt::format("node without a name that computes {} ({})",
                       known == nullptr ? "nothing" : *known, op);
}

const std::string& Node::input(std::size_t k) const {
    static const std::string none;
    return k < inputs.size() ? inputs[k] : none;
}

} // namespace weft::onnx
