// SPDX-License-Identifier: Apache-2.0
#include "base/finite.h"

#include <cmath>
#include <cstring>

namespace weft {

namespace {

template <class T>
bool areAll(std::span<const std::byte> bytes) {
    for (std::size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
        T x{};
        std::memcpy(&x, bytes.data() + at, sizeof(T));
        if (!std::isfinite(x)) {
            return false;
        }
    }
    return true;
}

} // namespace

bool areFinite(DType dtype, std::span<const std::byte> numbers) {
    return dtype == DType::f32   ? areAll<float>(numbers)
           : dtype == DType::f64 ? areAll<double>(numbers)
                                 : true;
}

} // namespace weft
