// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/kernels/teams.h"
#include "backends/cuda/kernels/whole_sums.h"

#include <cmath>

namespace weft::cuda {

namespace {

template <WholeTerm term>
[[nodiscard]] __device__ double wholeTermOf(const WholeSum& of, std::int64_t k) {
    if constexpr (term == WholeTerm::plain) {
        return of.x[k];
    } else if constexpr (term == WholeTerm::squaredDifference) {
        const double apart = static_cast<double>(of.x[k]) - of.other[k];
        return apart * apart;
    } else if constexpr (term == WholeTerm::zero) {
        return of.x[k] == 0 ? 1 : 0;
    } else {
        return of.integers.at(k) == of.ignored ? 0 : 1;
    }
}

template <WholeTerm term>
__global__ void blockSumsKernel(WholeSum of, double* sums) {
    double sum = 0;
    for (std::int64_t k = firstElement(); k < of.n; k += elementStep()) {
        sum += wholeTermOf<term>(of, k);
    }
    sum = joinedInBlock(Sum{}, sum, 0.0);
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;
    }
}

__global__ void sumUpKernel(const double* sums, std::int64_t n, double divisor, float* y) {
    const double sum = Team<true>::sum<double>(n, [=](std::int64_t k) { return sums[k]; });
    if (threadIdx.x == 0) {
        *y = static_cast<float>(sum / divisor);
    }
}

__global__ void decibelsKernel(const float* signal, const float* noise, std::int64_t n,
                               double against, float* sum, float* count) {
    double decibels = 0;
    double counted = 0;
    for (std::int64_t k = threadIdx.x; k < n; k += blockDim.x) {
        const double s = against > 0 ? against : signal[k];
        if (s > 0 && noise[k] > 0) {
            decibels += 10 * log10(s / noise[k]);
            counted += 1;
        }
    }
    decibels = joinedInBlock(Sum{}, decibels, 0.0);
    counted = joinedInBlock(Sum{}, counted, 0.0);
    if (threadIdx.x == 0) {
        *sum = static_cast<float>(decibels);
        *count = static_cast<float>(counted);
    }
}

/// Returns the number of blocks, so that each thread sums a few elements.
unsigned blocksOfSum(std::int64_t n) {
    return static_cast<unsigned>(std::min<std::int64_t>(blocksFor((n + 3) / 4), 1024));
}

template <WholeTerm term>
void sumWhole(const WholeSum& sum, void* scratch, float* y, StreamHandle stream) {
    auto* const sums = static_cast<double*>(scratch);
    const unsigned blocks = blocksOfSum(sum.n);
    KERNEL_LAUNCH(blockSumsKernel<term>, blocks, blockThreads, 0, stream, sum, sums);
    KERNEL_LAUNCH(sumUpKernel, 1, blockThreads, 0, stream, sums, blocks, sum.divisor, y);
}

} // namespace

std::int64_t wholeSumScratch(std::int64_t n) {
    return static_cast<std::int64_t>(sizeof(double)) * blocksOfSum(n);
}

void launchWholeSum(const WholeSum& sum, void* scratch, float* y, StreamHandle stream) {
    switch (sum.term) {
    case WholeTerm::plain: return sumWhole<WholeTerm::plain>(sum, scratch, y, stream);
    case WholeTerm::squaredDifference:
        return sumWhole<WholeTerm::squaredDifference>(sum, scratch, y, stream);
    case WholeTerm::zero: return sumWhole<WholeTerm::zero>(sum, scratch, y, stream);
    case WholeTerm::valid: return sumWhole<WholeTerm::valid>(sum, scratch, y, stream);
    }
}

void launchDecibels(const float* signal, const float* noise, std::int64_t n, double against,
                    float* sum, float* count, StreamHandle stream) {
    KERNEL_LAUNCH(decibelsKernel, 1, blockThreads, 0, stream, signal, noise, n, against, sum,
                  count);
}

} // namespace weft::cuda
