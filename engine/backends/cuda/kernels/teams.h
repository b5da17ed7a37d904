// SPDX-License-Identifier: Apache-2.0
#pragma once
// Threads that share a row, for CUDA sources: a warp for short rows, a block for long ones.
// Reductions have a fixed order, so results are bitwise reproducible.

#include "backends/cuda/kernels/launch.h"

namespace weft::cuda {

struct Sum {
    template <class T>
    __device__ T operator()(T a, T b) const {
        return a + b;
    }
};
struct Maximum {
    template <class T>
    __device__ T operator()(T a, T b) const {
        return a < b ? b : a;
    }
};

/// Reduces over the lanes of a warp; every lane gets the result.
template <class Join, class T>
[[nodiscard]] __device__ T joinedInWarp(Join join, T value) {
    for (int apart = 16; apart > 0; apart /= 2) {
        value = join(value, __shfl_xor_sync(~0U, value, apart));
    }
    return value;
}

/// Reduces over the threads of a block of full warps; every thread gets the result.
template <class Join, class T>
[[nodiscard]] __device__ T joinedInBlock(Join join, T value, T none) {
    __shared__ T ofWarps[32];
    const unsigned lane = threadIdx.x % 32;
    value = joinedInWarp(join, value);
    __syncthreads(); // the previous call's data may still be read
    if (lane == 0) {
        ofWarps[threadIdx.x / 32] = value;
    }
    __syncthreads();
    return joinedInWarp(join, lane < blockDim.x / 32 ? ofWarps[lane] : none);
}

template <bool isBlock>
struct Team {
    [[nodiscard]] __device__ static std::int64_t size() { return isBlock ? blockDim.x : 32; }
    [[nodiscard]] __device__ static std::int64_t threadInTeam() {
        return isBlock ? threadIdx.x : threadIdx.x % 32;
    }
    [[nodiscard]] __device__ static std::int64_t firstRow() {
        return isBlock ? blockIdx.x : firstElement() / 32;
    }
    [[nodiscard]] __device__ static std::int64_t rowStep() {
        return isBlock ? gridDim.x : elementStep() / 32;
    }
    template <class Join, class T>
    [[nodiscard]] __device__ static T joined(Join join, T value, T none) {
        if constexpr (isBlock) {
            return joinedInBlock(join, value, none);
        } else {
            return joinedInWarp(join, value);
        }
    }
    /// The sum of term(k) for k in [0, d).
    template <class T, class Term>
    [[nodiscard]] __device__ static T sum(std::int64_t d, const Term& term) {
        T total = 0;
        for (std::int64_t k = threadInTeam(); k < d; k += size()) {
            total += term(k);
        }
        return joined(Sum{}, total, T{0});
    }
};

/// A single thread per row, for rows of few elements.
struct SingleThread {
    [[nodiscard]] __device__ static std::int64_t size() { return 1; }
    [[nodiscard]] __device__ static std::int64_t threadInTeam() { return 0; }
    [[nodiscard]] __device__ static std::int64_t firstRow() { return firstElement(); }
    [[nodiscard]] __device__ static std::int64_t rowStep() { return elementStep(); }
    template <class Join, class T>
    [[nodiscard]] __device__ static T joined(Join, T value, T) {
        return value;
    }
    template <class T, class Term>
    [[nodiscard]] __device__ static T sum(std::int64_t d, const Term& term) {
        T total = 0;
        for (std::int64_t k = 0; k < d; ++k) {
            total += term(k);
        }
        return total;
    }
};

inline constexpr std::int64_t longestOfThread = 16;
inline constexpr std::int64_t longestOfWarp = 256;

/// Calls with(Team, blocks) for `rows` rows of d elements.
template <class With>
void withTeam(std::int64_t rows, std::int64_t d, const With& with) {
    if (d <= longestOfWarp) {
        with(Team<false>{}, blocksFor(rows * 32));
    } else {
        with(Team<true>{}, static_cast<unsigned>(std::clamp<std::int64_t>(rows, 1, mostBlocks)));
    }
}

/// Calls `with` as withTeam does, but with one thread per short row, whose terms need not be
/// contiguous.
template <class With>
void withTeamOrSingleThread(std::int64_t rows, std::int64_t d, const With& with) {
    if (d <= longestOfThread) {
        with(SingleThread{}, blocksFor(rows));
    } else {
        withTeam(rows, d, with);
    }
}

} // namespace weft::cuda
