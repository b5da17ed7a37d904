// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/kernels/packs.h"
#include "backends/cuda/norms/batch_norm.h"

#include <cmath>

namespace weft::cuda {

namespace {

[[nodiscard]] __device__ float inverseOf(const ChannelNumbers& of, std::int64_t place) {
    return rsqrtf(of.variance[place] + of.epsilon);
}

/// y = factor (x - mean) + shift, + addend, then at least `least`.
template <class KeptAs, bool hasAddend>
struct Normalise {
    using Kept = KeptAs;
    static constexpr int atOnce = hasAddend ? 2 : 4;

    ChannelNumbers of;
    const float* beta;
    const Kept* x;
    const Kept* addend;
    Kept* y;
    float least; ///< 0 for a ReLU, else below all numbers

    /// Channel numbers of a pack: one per element, or one for all.
    template <int width, int places>
    struct Places {
        Numbers<places> mean, factor, shift;

        __device__ Places(const Normalise& op, std::int64_t place) {
            for (int k = 0; k < places; ++k) {
                mean.at[k] = op.of.mean[place + k];
                factor.at[k] = op.of.gamma[place + k] * inverseOf(op.of, place + k);
                shift.at[k] = op.beta[place + k];
            }
        }
    };

    template <int width>
    struct Loaded {
        Pack<Kept, width> x, addend;

        Loaded() = default;
        __device__ Loaded(const Normalise& op, std::int64_t e) {
            x = Pack<Kept, width>::load(op.x + e);
            if constexpr (hasAddend) {
                addend = Pack<Kept, width>::load(op.addend + e);
            }
        }
    };

    template <int width, int places>
    __device__ void finish(const Places<width, places>& with, const Loaded<width>& loaded,
                           std::int64_t e) const {
        Numbers<width> numbers = loaded.x.numbers();
        for (int k = 0; k < width; ++k) {
            const int own = places == 1 ? 0 : k;
            numbers.at[k] =
                with.factor.at[own] * (numbers.at[k] - with.mean.at[own]) + with.shift.at[own];
        }
        if constexpr (hasAddend) {
            const Numbers<width> other = loaded.addend.numbers();
            for (int k = 0; k < width; ++k) {
                numbers.at[k] += other.at[k];
            }
        }
        for (int k = 0; k < width; ++k) { // NaN stays NaN
            numbers.at[k] = numbers.at[k] < least ? least : numbers.at[k];
        }
        Pack<Kept, width>::of(numbers).store(y + e);
    }
};

/// dx = ofDy dy + ofX (x - mean) + shift
template <class KeptAs>
struct NormInput {
    using Kept = KeptAs;
    static constexpr int atOnce = 2;

    ChannelNumbers of;
    const float* dgamma;
    const float* dbeta;
    float count;
    const Kept* x;
    const Kept* dy;
    Kept* dx;

    template <int width, int places>
    struct Places {
        Numbers<places> mean, ofDy, ofX, shift;

        __device__ Places(const NormInput& op, std::int64_t place) {
            for (int k = 0; k < places; ++k) {
                const float inverse = inverseOf(op.of, place + k);
                const float factor = op.of.gamma[place + k] * inverse;
                mean.at[k] = op.of.mean[place + k];
                ofDy.at[k] = factor;
                ofX.at[k] = -factor * inverse * (op.dgamma[place + k] / op.count);
                shift.at[k] = -factor * (op.dbeta[place + k] / op.count);
            }
        }
    };

    template <int width>
    struct Loaded {
        Pack<Kept, width> x, dy;

        Loaded() = default;
        __device__ Loaded(const NormInput& op, std::int64_t e)
            : x(Pack<Kept, width>::load(op.x + e)), dy(Pack<Kept, width>::load(op.dy + e)) {}
    };

    template <int width, int places>
    __device__ void finish(const Places<width, places>& with, const Loaded<width>& loaded,
                           std::int64_t e) const {
        const Numbers<width> here = loaded.x.numbers();
        Numbers<width> d = loaded.dy.numbers();
        for (int k = 0; k < width; ++k) {
            const int own = places == 1 ? 0 : k;
            d.at[k] = with.ofDy.at[own] * d.at[k] +
                      (with.ofX.at[own] * (here.at[k] - with.mean.at[own]) + with.shift.at[own]);
        }
        Pack<Kept, width>::of(d).store(dx + e);
    }
};

/// Applies `Op` to packs e, e + step, ... below end, with several loads in flight.
template <int width, class Op, class Places>
__device__ void finishAll(const Op& op, const Places& with, std::int64_t e, std::int64_t end,
                          std::int64_t step) {
    using Loaded = typename Op::template Loaded<width>;
    constexpr int atOnce = Op::atOnce;
    for (; e + (atOnce - 1) * step < end; e += atOnce * step) {
        Loaded loaded[atOnce];
        for (int k = 0; k < atOnce; ++k) {
            loaded[k] = Loaded(op, e + k * step);
        }
        for (int k = 0; k < atOnce; ++k) {
            op.finish(with, loaded[k], e + k * step);
        }
    }
    for (; e < end; e += step) {
        op.finish(with, Loaded(op, e), e);
    }
}

/// [outer, n]: a thread has a column of packs, whose channel numbers stay in registers, and some
/// rows.
template <class Op, int width>
__global__ void normColumnsKernel(Op op, Along along, int across) {
    const int thread = static_cast<int>(threadIdx.x);
    const int rows = static_cast<int>(blockThreads) / across;
    const std::int64_t row = static_cast<std::int64_t>(blockIdx.y) * rows + thread / across;
    const std::int64_t step = static_cast<std::int64_t>(gridDim.y) * rows * along.n;
    for (std::int64_t place =
             (static_cast<std::int64_t>(blockIdx.x) * across + thread % across) * width;
         place < along.n; place += static_cast<std::int64_t>(gridDim.x) * across * width) {
        const typename Op::template Places<width, width> with(op, place);
        finishAll<width>(op, with, row * along.n + place, along.outer * along.n, step);
    }
}

/// [outer, n, inner]: `team` threads share a run of inner numbers, or blocks along y split the run.
template <class Op, int width>
__global__ void normRunsKernel(Op op, Along along, int team) {
    const int thread = static_cast<int>(threadIdx.x);
    const int teams = static_cast<int>(blockThreads) / team;
    const std::int64_t runs = along.outer * along.n;
    const int first = static_cast<int>(blockIdx.y) * team + thread % team;
    const int step = static_cast<int>(gridDim.y) * team;
    for (std::int64_t run = static_cast<std::int64_t>(blockIdx.x) * teams + thread / team;
         run < runs; run += static_cast<std::int64_t>(gridDim.x) * teams) {
        const typename Op::template Places<width, 1> with(op,
                                                          run - quotient(run, along.n) * along.n);
        const std::int64_t begin = run * along.inner;
        finishAll<width>(op, with, begin + std::int64_t{first} * width, begin + along.inner,
                         std::int64_t{step} * width);
    }
}

__global__ void runningKernel(RunningStatistics statistics) {
    const RunningStatistic& of = statistics.of[blockIdx.y];
    for (std::int64_t k = firstElement(); k < of.n; k += elementStep()) {
        of.y[k] = of.keep * of.running[k] + of.take * of.now[k];
    }
}

constexpr std::int64_t manyBlocks = 2048;

/// The smallest power of two that is at least n, at most 32.
int shareOf(std::int64_t n) {
    int share = 1;
    while (share < 32 && share < n) {
        share *= 2;
    }
    return share;
}

template <int width, class Op>
void launchNorm(const Op& op, const Along& along, StreamHandle stream) {
    if (along.inner == 1) {
        const int across = shareOf(along.n / width);
        const std::int64_t blocks = (along.n / width + across - 1) / across;
        const std::int64_t rows = blockThreads / across;
        const std::int64_t down = std::clamp<std::int64_t>(
            std::min(along.outer / (rows * Op::atOnce), manyBlocks / blocks), 1, manyBlocks);
        const auto kernel = normColumnsKernel<Op, width>;
        KERNEL_LAUNCH(
            kernel,
            dim3(static_cast<unsigned>(std::min(blocks, mostBlocks)), static_cast<unsigned>(down)),
            blockThreads, 0, stream, op, along, across);
        return;
    }
    const std::int64_t packs = along.inner / width;
    const int team = shareOf(packs);
    const std::int64_t teams = blockThreads / team;
    const std::int64_t blocks = (along.outer * along.n + teams - 1) / teams;
    const std::int64_t parts = std::clamp<std::int64_t>(
        std::min(packs / (std::int64_t{team} * Op::atOnce), manyBlocks / blocks), 1, manyBlocks);
    const auto kernel = normRunsKernel<Op, width>;
    KERNEL_LAUNCH(
        kernel,
        dim3(static_cast<unsigned>(std::min(blocks, mostBlocks)), static_cast<unsigned>(parts)),
        blockThreads, 0, stream, op, along, team);
}

/// Uses packs if all addresses and runs are aligned.
template <class Op>
void launchOnPacks(const Op& op, const Along& along, std::initializer_list<const void*> addresses,
                   StreamHandle stream) {
    constexpr int width = packWidth<typename Op::Kept>;
    const std::int64_t sideBySide = along.inner == 1 ? along.n : along.inner;
    if (sideBySide % width == 0 && std::ranges::all_of(addresses, isAlignedForPacks)) {
        launchNorm<width>(op, along, stream);
    } else {
        launchNorm<1>(op, along, stream);
    }
}

} // namespace

template <class Kept>
void launchNormaliseChannels(const Along& along, const ChannelNumbers& of, const Kept* x,
                             const float* beta, const NormEnding<Kept>& ending, Kept* y,
                             StreamHandle stream) {
    const float least = ending.hasRelu ? 0.0F : -INFINITY;
    if (ending.addend == nullptr) {
        launchOnPacks(Normalise<Kept, false>{of, beta, x, nullptr, y, least}, along, {x, y},
                      stream);
    } else {
        launchOnPacks(Normalise<Kept, true>{of, beta, x, ending.addend, y, least}, along,
                      {x, ending.addend, y}, stream);
    }
}

template <class Kept>
void launchBatchNormInputGradient(const Along& along, const ChannelNumbers& of, float count,
                                  const Kept* x, const Kept* dy, const float* dgamma,
                                  const float* dbeta, Kept* dx, StreamHandle stream) {
    launchOnPacks(NormInput<Kept>{of, dgamma, dbeta, count, x, dy, dx}, along, {x, dy, dx}, stream);
}

void launchRunningStatistics(const RunningStatistics& statistics, StreamHandle stream) {
    std::int64_t most = 1;
    for (int k = 0; k < statistics.count; ++k) {
        most = std::max(most, statistics.of[static_cast<std::size_t>(k)].n);
    }
    KERNEL_LAUNCH(runningKernel, dim3(blocksFor(most), static_cast<unsigned>(statistics.count)),
                  blockThreads, 0, stream, statistics);
}

template void launchNormaliseChannels(const Along&, const ChannelNumbers&, const float*,
                                      const float*, const NormEnding<float>&, float*, StreamHandle);
template void launchNormaliseChannels(const Along&, const ChannelNumbers&, const Bf16*,
                                      const float*, const NormEnding<Bf16>&, Bf16*, StreamHandle);
template void launchBatchNormInputGradient(const Along&, const ChannelNumbers&, float, const float*,
                                           const float*, const float*, const float*, float*,
                                           StreamHandle);
template void launchBatchNormInputGradient(const Along&, const ChannelNumbers&, float, const Bf16*,
                                           const Bf16*, const float*, const float*, Bf16*,
                                           StreamHandle);

} // namespace weft::cuda
