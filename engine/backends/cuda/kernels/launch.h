// SPDX-License-Identifier: Apache-2.0
#pragma once
// The language of kernels: CUDA with nvcc; with a plain C++ compiler, the tests' emulator, so that
// the same sources run without a GPU. Sources (.cu) only include the standard library and headers
// of plain types, because not every library compiles with nvcc (fmt 9 does not).
//
//   KERNEL_LAUNCH(kernel, grid, block, sharedBytes, stream, arguments...)   is <<<>>>
//   DYNAMIC_SHARED(float, name)                                            is extern __shared__

#if defined(__CUDACC__)
#include <cuda_runtime.h>
#define KERNEL_LAUNCH(kernel, grid, block, bytes, stream, ...)                                     \
    kernel<<<(grid), (block), (bytes), (stream)>>>(__VA_ARGS__)
#define DYNAMIC_SHARED(type, name)                                                                 \
    extern __shared__ __align__(16) unsigned char dynamicShared[];                                 \
    type* const name = reinterpret_cast<type*>(dynamicShared)
#else
#include <simt/simt.h>
#define __global__
#define __device__
#define __host__
#define __shared__ static
#define __constant__ static const
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __align__(n) alignas(n)

#define threadIdx (simt::here->thread)
#define blockIdx (simt::here->block)
#define blockDim (simt::here->blockSize)
#define gridDim (simt::here->gridSize)

#define KERNEL_LAUNCH(kernel, grid, block, bytes, stream, ...)                                     \
    ((void)(stream),                                                                               \
     simt::launch((grid), (block), static_cast<std::size_t>(bytes), [=] { kernel(__VA_ARGS__); }))
#define DYNAMIC_SHARED(type, name) type* const name = static_cast<type*>(simt::dynamicShared())
#endif

#include "backends/cuda/kernels/stream_handle.h"

#include <algorithm>
#include <cstdint>

namespace weft::cuda {

inline constexpr unsigned blockThreads = 256;
/// More blocks than any GPU runs at once; kernels use grid-stride loops.
inline constexpr std::int64_t mostBlocks = 4096;

/// Returns the number of blocks for that many threads.
[[nodiscard]] inline unsigned blocksFor(std::int64_t threads) {
    const std::int64_t blocks = (threads + blockThreads - 1) / blockThreads;
    return static_cast<unsigned>(std::clamp<std::int64_t>(blocks, 1, mostBlocks));
}

/// The first element of this thread, and the grid stride.
[[nodiscard]] __device__ inline std::int64_t firstElement() {
    return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
[[nodiscard]] __device__ inline std::int64_t elementStep() {
    return static_cast<std::int64_t>(gridDim.x) * blockDim.x;
}

/// a / b for non-negative numbers: in 32 bits if they fit, because GPUs have no divider and 64 bits
/// need several times as many instructions.
[[nodiscard]] __device__ inline std::int64_t quotient(std::int64_t a, std::int64_t b) {
    if (((a | b) >> 32) == 0) {
        return static_cast<std::uint32_t>(a) / static_cast<std::uint32_t>(b);
    }
    return a / b;
}

} // namespace weft::cuda
