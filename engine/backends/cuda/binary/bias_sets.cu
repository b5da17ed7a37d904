// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/binary/bias_sets.h"
#include "backends/cuda/kernels/launch.h"
#include "backends/cuda/kernels/teams.h"

namespace weft::cuda {

namespace {

__global__ void biasSetsKernel(BiasSets of, const float* x, const float* b, float* y) {
    for (std::int64_t k = firstElement(); k < of.elements(); k += elementStep()) {
        const std::int64_t row = quotient(k, of.behind); // row of [batch, before, features]
        const std::int64_t place = quotient(row, of.features);
        const std::int64_t feature = row - place * of.features;
        const std::int64_t element = quotient(place, of.before);
        const std::int64_t position =
            (place - element * of.before) * of.behind + k - row * of.behind;
        const std::int64_t set =
            (of.perElement ? element : 0) * (of.perPosition ? of.positions() : 1) +
            (of.perPosition ? position : 0);
        y[k] = x[k] + b[set * of.features + feature];
    }
}

/// Returns the element of x with `index` among those that share number `number` of b.
[[nodiscard]] __device__ std::int64_t sharing(const BiasSets& of, std::int64_t number,
                                              std::int64_t index) {
    const std::int64_t set = quotient(number, of.features);
    const std::int64_t feature = number - set * of.features;
    const std::int64_t positionsOfSet = of.perPosition ? 1 : of.positions();
    const std::int64_t setsOfElement = of.perPosition ? of.positions() : 1;
    const std::int64_t ofElement = quotient(set, setsOfElement);
    const std::int64_t further = quotient(index, positionsOfSet);
    const std::int64_t element = (of.perElement ? ofElement : 0) + further;
    const std::int64_t position =
        of.perPosition ? set - ofElement * setsOfElement : index - further * positionsOfSet;
    const std::int64_t before = quotient(position, of.behind);
    return ((element * of.before + before) * of.features + feature) * of.behind + position -
           before * of.behind;
}

template <class OfTeam>
__global__ void biasSetsGradientKernel(OfTeam, BiasSets of, const float* dy, float* db) {
    const std::int64_t shared = quotient(of.elements(), of.numbers());
    for (std::int64_t k = OfTeam::firstRow(); k < of.numbers(); k += OfTeam::rowStep()) {
        const double sum = OfTeam::template sum<double>(shared, [&](std::int64_t index) {
            return static_cast<double>(dy[sharing(of, k, index)]);
        });
        if (OfTeam::threadInTeam() == 0) {
            db[k] = static_cast<float>(sum);
        }
    }
}

} // namespace

void launchBiasSets(const BiasSets& sets, const float* x, const float* b, float* y,
                    StreamHandle stream) {
    KERNEL_LAUNCH(biasSetsKernel, blocksFor(sets.elements()), blockThreads, 0, stream, sets, x, b,
                  y);
}

void launchBiasSetsGradient(const BiasSets& sets, const float* dy, float* db, StreamHandle stream) {
    const std::int64_t numbers = sets.numbers();
    withTeamOrSingleThread(
        numbers, sets.elements() / numbers, [&]<class OfTeam>(OfTeam team, unsigned blocks) {
            const auto kernel = biasSetsGradientKernel<OfTeam>;
            KERNEL_LAUNCH(kernel, blocks, blockThreads, 0, stream, team, sets, dy, db);
        });
}

} // namespace weft::cuda
