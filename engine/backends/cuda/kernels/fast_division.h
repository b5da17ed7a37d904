// SPDX-License-Identifier: Apache-2.0
#pragma once
// Division by a 32-bit number known on the host, for CUDA sources, because GPUs have no divider. n
// / d = (n + the upper word of n * factor) >> shift, for n below 2^31 and d above 0.

#include "backends/cuda/kernels/launch.h"

#include <cstdint>

namespace weft::cuda {

struct FastDivision {
    std::uint32_t divisor = 1, factor = 1, shift = 0; ///< n / divisor by a product and a shift

    FastDivision() = default;
    explicit FastDivision(std::int64_t d) : divisor(static_cast<std::uint32_t>(d)) {
        while ((std::uint64_t{1} << shift) < divisor) {
            ++shift;
        }
        const std::uint64_t above = (std::uint64_t{1} << shift) - divisor;
        factor = static_cast<std::uint32_t>((above << 32U) / divisor + 1);
    }

    struct Split {
        std::uint32_t quotient, remainder;
    };
    [[nodiscard]] __device__ Split operator()(std::uint32_t n) const {
        const auto upper =
            static_cast<std::uint32_t>((static_cast<std::uint64_t>(n) * factor) >> 32U);
        const std::uint32_t quotient = (upper + n) >> shift;
        return {quotient, n - quotient * divisor};
    }
};

} // namespace weft::cuda
