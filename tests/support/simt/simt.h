// SPDX-License-Identifier: Apache-2.0
#pragma once
// CUDA's words for a plain C++ compiler: with this header a .cu source runs on the host, each
// thread of a block as a fiber of simt/threads.h. Sources reach it through
// engine/backends/cuda/kernels/launch.h.

#include "simt/threads.h"

#include <cmath>
#include <cstdint>
#include <type_traits>

using dim3 = simt::Size;
using uint3 = simt::Index;
using cudaStream_t = struct CUstream_st*;

struct alignas(16) float4 {
    float x, y, z, w;
};
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }

constexpr int warpSize = 32;

inline void __syncthreads(int line = __builtin_LINE()) { simt::barrier(line); }
inline void __syncwarp(unsigned mask = ~0U) { (void)simt::exchange(mask, 0); }

template <class T>
T __shfl_sync(unsigned mask, T value, int from, int width = warpSize) {
    const int first = simt::lane() / width * width;
    return simt::shuffled(mask, value, first + from % width, true);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = warpSize) {
    const int from = simt::lane() + static_cast<int>(by);
    return simt::shuffled(mask, value, from, from / width == simt::lane() / width);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = warpSize) {
    const int from = simt::lane() - static_cast<int>(by);
    return simt::shuffled(mask, value, from, from >= simt::lane() / width * width);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int by, int width = warpSize) {
    const int from = simt::lane() ^ by;
    return simt::shuffled(mask, value, from, from / width == simt::lane() / width);
}
inline unsigned __ballot_sync(unsigned mask, int isTrue) {
    const std::uint64_t* const all = simt::exchange(mask, isTrue != 0 ? 1 : 0);
    unsigned votes = 0;
    for (unsigned k = 0; k < 32; ++k) {
        votes |= (mask >> k & 1U) != 0 && all[k] != 0 ? 1U << k : 0U;
    }
    return votes;
}
inline int __any_sync(unsigned mask, int isTrue) { return __ballot_sync(mask, isTrue) != 0; }
inline int __all_sync(unsigned mask, int isTrue) { return __ballot_sync(mask, isTrue) == mask; }

template <class T>
T atomicAdd(T* at, std::type_identity_t<T> value) {
    return simt::atomically(at, [&](T old) { return old + value; });
}
template <class T>
T atomicMax(T* at, std::type_identity_t<T> value) {
    return simt::atomically(at, [&](T old) { return old < value ? value : old; });
}
template <class T>
T atomicExch(T* at, std::type_identity_t<T> value) {
    return simt::atomically(at, [&](T) { return value; });
}
template <class T>
T atomicCAS(T* at, std::type_identity_t<T> expected, std::type_identity_t<T> value) {
    return simt::atomically(at, [&](T old) { return old == expected ? value : old; });
}

inline void __threadfence() {}
template <class T>
T __ldg(const T* at) {
    return *at;
}
inline int __ffs(int bits) { return __builtin_ffs(bits); }
inline int __popc(unsigned bits) { return __builtin_popcount(bits); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<unsigned long long>((static_cast<Wide>(a) * b) >> 64U);
}
inline float rsqrtf(float x) { return 1.0F / std::sqrt(x); }
