// SPDX-License-Identifier: Apache-2.0
#pragma once
// Tensor core instructions (compute capability 8.0 and later) for CUDA sources. Operands of a warp
// are in registers of its lanes. Lane l holds of a left operand [16, terms] the rows g = l / 4 and
// g + 8, of a right operand [terms, 8] the column g, and of sums [16, 8] both rows in columns 2 t
// and 2 t + 1 with t = l % 4. The terms per lane depend on the precision (attention_rounded.cu).

#include "backends/cuda/kernels/launch.h"

#if !defined(__CUDACC__)
#include <simt/tensor_cores.h>
#endif

namespace weft::cuda {

struct LeftFragment {
    std::uint32_t registers[4];
};
struct RightFragment {
    std::uint32_t registers[2];
};
struct SumFragment {
    float registers[4] = {};
};

#if !defined(__CUDACC__)

inline void multiplyBf16(SumFragment& sums, const LeftFragment& left, const RightFragment& right) {
    simt::multiplyBf16(sums.registers, left.registers, right.registers);
}
inline void multiplyTf32(SumFragment& sums, const LeftFragment& left, const RightFragment& right) {
    simt::multiplyTf32(sums.registers, left.registers, right.registers);
}
inline void loadMatrices(std::uint32_t (&to)[4], const std::uint16_t* row, bool isTransposed) {
    simt::loadMatrices(to, row, isTransposed);
}
inline std::uint32_t twoBf16(float low, float high) { return simt::twoBf16(low, high); }
inline std::uint32_t tf32Of(float x) { return simt::tf32Of(x); }

#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800

// Older GPUs lack these instructions and never get here (Backend::rounding).
__device__ inline void multiplyBf16(SumFragment&, const LeftFragment&, const RightFragment&) {
    __trap();
}
__device__ inline void multiplyTf32(SumFragment&, const LeftFragment&, const RightFragment&) {
    __trap();
}
__device__ inline void loadMatrices(std::uint32_t (&)[4], const std::uint16_t*, bool) { __trap(); }
__device__ inline std::uint32_t twoBf16(float, float) { return 0; }
__device__ inline std::uint32_t tf32Of(float) { return 0; }

#else

/// 16 terms: two bf16 per register, the lower first.
__device__ inline void multiplyBf16(SumFragment& sums, const LeftFragment& left,
                                    const RightFragment& right) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sums.registers[0]), "+f"(sums.registers[1]), "+f"(sums.registers[2]),
          "+f"(sums.registers[3])
        : "r"(left.registers[0]), "r"(left.registers[1]), "r"(left.registers[2]),
          "r"(left.registers[3]), "r"(right.registers[0]), "r"(right.registers[1]));
}
/// 8 terms.
__device__ inline void multiplyTf32(SumFragment& sums, const LeftFragment& left,
                                    const RightFragment& right) {
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sums.registers[0]), "+f"(sums.registers[1]), "+f"(sums.registers[2]),
          "+f"(sums.registers[3])
        : "r"(left.registers[0]), "r"(left.registers[1]), "r"(left.registers[2]),
          "r"(left.registers[3]), "r"(right.registers[0]), "r"(right.registers[1]));
}
/// Loads four matrices of 8 rows of 8 bf16 from shared memory, aligned to 16 bytes: lane 8 m + r
/// gives the address of row r of matrix m, and gets two numbers of row g of each; transposed: of
/// column g.
__device__ inline void loadMatrices(std::uint32_t (&to)[4], const std::uint16_t* row,
                                    bool isTransposed) {
    const auto at = static_cast<std::uint32_t>(__cvta_generic_to_shared(row));
    if (isTransposed) {
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                     : "r"(at)
                     : "memory");
    } else {
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                     : "r"(at)
                     : "memory");
    }
}
__device__ inline std::uint32_t twoBf16(float low, float high) {
    std::uint32_t both = 0;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
    return both;
}
__device__ inline std::uint32_t tf32Of(float x) {
    std::uint32_t bits = 0;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
    return bits;
}

#endif

} // namespace weft::cuda
