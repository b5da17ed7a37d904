// SPDX-License-Identifier: Apache-2.0
#include "data/arrays/array.h"

namespace weft {

std::optional<std::int64_t> bytesOf(const Shape& shape, std::size_t elementBytes) {
    auto bytes = static_cast<std::int64_t>(elementBytes);
    bool empty = false;
    for (const std::int64_t size : shape) {
        if (size < 0) {
            return std::nullopt;
        }
        if (size == 0) {
            // The other sizes must still not overflow: [2^40, 2^40, 0] is invalid.
            empty = true;
            continue;
        }
        if (__builtin_mul_overflow(bytes, size, &bytes)) {
            return std::nullopt;
        }
    }
    return empty ? 0 : bytes;
}

} // namespace weft
