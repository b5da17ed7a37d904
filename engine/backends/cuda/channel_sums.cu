// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/channel_sums.h"
#include "backends/cuda/half_numbers.h"
#include "backends/cuda/teams.h"

#include <cmath>

namespace weft::cuda {

namespace {

constexpr int width = 32; ///< places side by side
constexpr int height = 8; ///< rows at a time

template <ChannelTerm term, class Kept>
[[nodiscard]] __device__ double channelTermOf(const ChannelSum& of, std::int64_t e,
                                              std::int64_t place, std::int64_t row) {
    const double x = wide(static_cast<const Kept*>(of.x)[e]);
    if constexpr (term == ChannelTerm::plain) {
        return x;
    } else if constexpr (term == ChannelTerm::deviation) {
        const double apart = x - of.mean[place];
        return apart * apart;
    } else {
        const float dy = wide(static_cast<const Kept*>(of.dy)[e]);
        if constexpr (term == ChannelTerm::covariance) {
            return (x - of.mean[place]) * dy;
        } else {
            return (x - of.mean[row]) * of.r[row] * dy;
        }
    }
}

/// [outer, n, inner]: a block per place and part of what is summed for it.
template <ChannelTerm term, class Kept>
__global__ void runPartsKernel(ChannelSum of, double* sums) {
    const std::int64_t n = of.along.n;
    const std::int64_t inner = of.along.inner;
    const std::int64_t count = of.along.outer * inner;
    for (std::int64_t place = blockIdx.x; place < n; place += gridDim.x) {
        double sum = 0;
        const std::int64_t first = static_cast<std::int64_t>(blockIdx.y) * blockDim.x + threadIdx.x;
        const std::int64_t step = static_cast<std::int64_t>(gridDim.y) * blockDim.x;
        for (std::int64_t k = first; k < count; k += step) {
            const std::int64_t row = quotient(k, inner);
            const std::int64_t e = (row * n + place) * inner + k - row * inner;
            sum += channelTermOf<term, Kept>(of, e, place, row);
        }
        sum = joinedInBlock(Sum{}, sum, 0.0);
        if (threadIdx.x == 0) {
            sums[blockIdx.y * n + place] = sum;
        }
    }
}

/// [outer, n]: a block per `width` places and part of the rows.
template <ChannelTerm term, class Kept>
__global__ void columnPartsKernel(ChannelSum of, double* sums) {
    __shared__ double ofRows[height][width];
    const std::int64_t n = of.along.n;
    for (std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * width; first < n;
         first += static_cast<std::int64_t>(gridDim.x) * width) {
        const std::int64_t place = first + threadIdx.x;
        double sum = 0;
        for (std::int64_t row = static_cast<std::int64_t>(blockIdx.y) * height + threadIdx.y;
             row < of.along.outer && place < n;
             row += static_cast<std::int64_t>(gridDim.y) * height) {
            sum += channelTermOf<term, Kept>(of, row * n + place, place, row);
        }
        ofRows[threadIdx.y][threadIdx.x] = sum;
        __syncthreads();
        if (threadIdx.y == 0 && place < n) {
            for (int k = 1; k < height; ++k) {
                sum += ofRows[k][threadIdx.x];
            }
            sums[blockIdx.y * n + place] = sum;
        }
        __syncthreads(); // before the next places
    }
}

__global__ void joinPartsKernel(ChannelSum of, const double* sums, int parts, float* y) {
    for (std::int64_t place = firstElement(); place < of.along.n; place += elementStep()) {
        double sum = 0;
        for (int part = 0; part < parts; ++part) {
            sum += sums[part * of.along.n + place];
        }
        const double root =
            of.variance == nullptr
                ? 1.0
                : sqrt(static_cast<double>(of.variance[place]) + static_cast<double>(of.epsilon));
        y[place] = static_cast<float>(sum / of.divisor / root);
    }
}

/// As many as make some blocks for every multiprocessor, each with a share worth its while.
int partsOf(const Along& along) {
    const std::int64_t across = along.inner == 1 ? (along.n + width - 1) / width : along.n;
    const std::int64_t each = along.outer * along.inner;
    const std::int64_t share = along.inner == 1 ? 8 * height : 4 * blockThreads;
    return static_cast<int>(
        std::clamp<std::int64_t>(std::min(each / share, 1024 / across), 1, 256));
}

template <ChannelTerm term, class Kept>
void sumChannels(const ChannelSum& sum, double* sums, Stream stream) {
    const Along& along = sum.along;
    const auto parts = static_cast<unsigned>(partsOf(along));
    if (along.inner == 1) {
        const auto across =
            static_cast<unsigned>(std::min((along.n + width - 1) / width, mostBlocks));
        const auto kernel = columnPartsKernel<term, Kept>;
        KERNEL_LAUNCH(kernel, dim3(across, parts), dim3(width, height), 0, stream, sum, sums);
    } else {
        const auto across = static_cast<unsigned>(std::min(along.n, mostBlocks));
        const auto kernel = runPartsKernel<term, Kept>;
        KERNEL_LAUNCH(kernel, dim3(across, parts), blockThreads, 0, stream, sum, sums);
    }
}

template <class Kept>
void sumTerms(const ChannelSum& sum, double* sums, Stream stream) {
    switch (sum.term) {
    case ChannelTerm::plain: return sumChannels<ChannelTerm::plain, Kept>(sum, sums, stream);
    case ChannelTerm::deviation:
        return sumChannels<ChannelTerm::deviation, Kept>(sum, sums, stream);
    case ChannelTerm::covariance:
        return sumChannels<ChannelTerm::covariance, Kept>(sum, sums, stream);
    case ChannelTerm::rowCovariance:
        return sumChannels<ChannelTerm::rowCovariance, Kept>(sum, sums, stream);
    }
}

} // namespace

std::int64_t channelSumScratch(const Along& along) {
    return static_cast<std::int64_t>(sizeof(double)) * along.n * partsOf(along);
}

void launchChannelSums(const ChannelSum& sum, void* scratch, float* y, Stream stream) {
    auto* const sums = static_cast<double*>(scratch);
    asKept(sum.isOfHalves, [&]<class Kept>(Kept) { sumTerms<Kept>(sum, sums, stream); });
    KERNEL_LAUNCH(joinPartsKernel, blocksFor(sum.along.n), blockThreads, 0, stream, sum, sums,
                  partsOf(sum.along), y);
}

} // namespace weft::cuda
