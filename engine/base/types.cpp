// SPDX-License-Identifier: Apache-2.0
#include "base/text/text.h"
#include <weft/types.h>

#include <fmt/format.h>

#include <array>
#include <utility>

namespace weft {

namespace {

constexpr std::array<std::pair<DType, std::string_view>, 7> dtypeNames{{{DType::f32, "f32"},
                                                                        {DType::f64, "f64"},
                                                                        {DType::bf16, "bf16"},
                                                                        {DType::f16, "f16"},
                                                                        {DType::i32, "i32"},
                                                                        {DType::i64, "i64"},
                                                                        {DType::u8, "u8"}}};

} // namespace

std::string_view nameOf(DType dtype) {
    for (const auto& [value, name] : dtypeNames) {
        if (value == dtype) {
            return name;
        }
    }
    return "unknown";
}

std::optional<DType> dtypeNamed(std::string_view name) {
    for (const auto& [value, known] : dtypeNames) {
        if (known == name) {
            return value;
        }
    }
    return std::nullopt;
}

std::string_view nameOf(Pass pass) {
    switch (pass) {
    case Pass::forward: return "forward";
    case Pass::backward: return "backward";
    case Pass::update: return "update";
    case Pass::metric: return "metric";
    }
    return "";
}

std::int64_t elementsOf(const Shape& shape) {
    std::int64_t elements = 1;
    for (const std::int64_t size : shape) {
        elements *= size;
    }
    return elements;
}

std::string toString(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

std::string toString(Bytes bytes) {
    static constexpr std::array<std::string_view, 6> units{"B", "kB", "MB", "GB", "TB", "PB"};
    return scaledAmount(static_cast<double>(bytes.count), units);
}

std::string toString(Nanoseconds time) {
    return durationText(static_cast<double>(time.count) / 1e9);
}

std::string toString(Flops flops) {
    static constexpr std::array<std::string_view, 7> units{"FLOP",  "kFLOP", "MFLOP", "GFLOP",
                                                           "TFLOP", "PFLOP", "EFLOP"};
    return scaledAmount(static_cast<double>(flops.count), units);
}

} // namespace weft
