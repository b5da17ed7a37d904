// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads ids, targets and positions of any integer type.

#include <weft/types.h>

namespace weft::cpu {

class IntegerReader {
public:
    explicit IntegerReader(DType dtype) : dtype_(dtype) {}
    [[nodiscard]] std::int64_t operator()(const void* values, std::int64_t k) const {
        switch (dtype_) {
        case DType::i32: return static_cast<const std::int32_t*>(values)[k];
        case DType::u8: return static_cast<const std::uint8_t*>(values)[k];
        default: return static_cast<const std::int64_t*>(values)[k];
        }
    }

private:
    DType dtype_;
};

} // namespace weft::cpu
