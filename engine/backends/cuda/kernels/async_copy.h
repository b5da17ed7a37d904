// SPDX-License-Identifier: Apache-2.0
#pragma once
// Asynchronous copies from global to shared memory (cp.async, compute capability 8.0 and later).
// Copies since the last commit are one group. A waiting thread sees its own copies; other threads
// need a barrier.

#include "backends/cuda/kernels/launch.h"

namespace weft::cuda {

#if !defined(__CUDACC__)

inline void copyAsync(float* to, const float* from, bool isInside) {
    simt::copyAsync(to, isInside ? from : nullptr, sizeof *to);
}
inline void commitCopies() { simt::commitCopies(); }
inline void waitForCopies() { simt::waitForCopies(); }

#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800

__device__ inline void copyAsync(float* to, const float* from, bool isInside) {
    *to = isInside ? *from : 0;
}
__device__ inline void commitCopies() {}
__device__ inline void waitForCopies() {}

#else

/// Starts to copy one number, or zero if it is outside; `from` must be a valid address in both
/// cases.
__device__ inline void copyAsync(float* to, const float* from, bool isInside) {
    const auto shared = static_cast<std::uint32_t>(__cvta_generic_to_shared(to));
    const int bytes = isInside ? 4 : 0;
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
                 :
                 : "r"(shared), "l"(from), "r"(bytes));
}
__device__ inline void commitCopies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
/// Waits for all copies that this thread has committed.
__device__ inline void waitForCopies() { asm volatile("cp.async.wait_group 0;" ::: "memory"); }

#endif

} // namespace weft::cuda
