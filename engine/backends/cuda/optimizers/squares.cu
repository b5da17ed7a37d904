// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/kernels/packs.h"
#include "backends/cuda/kernels/teams.h"
#include "backends/cuda/optimizers/squares.h"

namespace weft::cuda {

namespace {

constexpr int width = packWidth<float>;
constexpr int packsOfThread = 16;
constexpr std::int64_t ofBlock =
    std::int64_t{packsOfThread} * width * blockThreads; ///< elements per block

/// The share of one block in its member.
__global__ void squaresKernel(SquaredBucket bucket, double* sums) {
    std::size_t k = 0;
    while (bucket.firstBlock[k + 1] <= blockIdx.x) {
        ++k;
    }
    const Squared& of = bucket.members[k];
    const std::int64_t begin = (blockIdx.x - bucket.firstBlock[k]) * ofBlock;
    const std::int64_t end = std::min(begin + ofBlock, of.n);
    const bool isByPacks = reinterpret_cast<std::uintptr_t>(of.x) % sizeof(PackBits) == 0;
    const std::int64_t packed = isByPacks ? begin + (end - begin) / width * width : begin;
    Numbers<width> sum = {};
    for (std::int64_t e = begin + std::int64_t{threadIdx.x} * width; e < packed;
         e += std::int64_t{blockThreads} * width) {
        const Numbers<width> x = Pack<float, width>::load(of.x + e).numbers();
        for (int j = 0; j < width; ++j) {
            sum.at[j] += x.at[j] * x.at[j];
        }
    }
    float rest = 0;
    for (std::int64_t e = packed + threadIdx.x; e < end; e += blockThreads) {
        rest += of.x[e] * of.x[e];
    }
    double total = rest;
    for (int j = 0; j < width; ++j) {
        total += sum.at[j];
    }
    total = joinedInBlock(Sum{}, total, 0.0);
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = total;
    }
}

/// One block per member adds the sums of its blocks.
__global__ void joinSquaresKernel(SquaredBucket bucket, const double* sums) {
    const std::int64_t first = bucket.firstBlock[blockIdx.x];
    const std::int64_t blocks = bucket.firstBlock[blockIdx.x + 1] - first;
    const double sum =
        Team<true>::sum<double>(blocks, [=](std::int64_t k) { return sums[first + k]; });
    if (threadIdx.x == 0) {
        *bucket.members[blockIdx.x].y = static_cast<float>(sum);
    }
}

std::int64_t blocksOf(std::int64_t n) { return (n + ofBlock - 1) / ofBlock; }

} // namespace

std::int64_t squaresScratch(std::int64_t n) {
    return static_cast<std::int64_t>(sizeof(double)) * blocksOf(n);
}

void launchSquares(SquaredBucket bucket, void* scratch, StreamHandle stream) {
    for (std::size_t k = 0; k < bucket.count; ++k) {
        bucket.firstBlock[k + 1] = bucket.firstBlock[k] + blocksOf(bucket.members[k].n);
    }
    auto* const sums = static_cast<double*>(scratch);
    KERNEL_LAUNCH(squaresKernel, static_cast<unsigned>(bucket.firstBlock[bucket.count]),
                  blockThreads, 0, stream, bucket, sums);
    KERNEL_LAUNCH(joinSquaresKernel, static_cast<unsigned>(bucket.count), blockThreads, 0, stream,
                  bucket, sums);
}

} // namespace weft::cuda
