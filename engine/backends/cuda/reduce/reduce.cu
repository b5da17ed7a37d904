// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/kernels/teams.h"
#include "backends/cuda/reduce/reduce.h"

#include <cmath>

namespace weft::cuda {

namespace {

struct Larger {
    __device__ float operator()(float a, float b) const { return b > a || b != b ? b : a; }
};

struct Product {
    __device__ double operator()(double a, double b) const { return a * b; }
};

/// Returns the offset in x for iteration n of the loops.
[[nodiscard]] __device__ std::int64_t offsetOf(const StridedLoops& loops, std::int64_t n) {
    std::int64_t offset = 0;
    for (std::size_t k = 0; k < loops.count; ++k) {
        const std::int64_t next = quotient(n, loops.loops[k].size);
        offset += (n - next * loops.loops[k].size) * loops.loops[k].step;
        n = next;
    }
    return offset;
}

/// A team for each result.
template <class Team, class Join, class Total>
__global__ void reduceKernel(Team, Join join, Total none, ReduceLoops loops, const float* x,
                             float* y) {
    for (std::int64_t k = Team::firstRow(); k < loops.kept.iterations; k += Team::rowStep()) {
        const float* const from = x + offsetOf(loops.kept, k);
        Total total = none;
        for (std::int64_t n = Team::threadInTeam(); n < loops.reduced.iterations;
             n += Team::size()) {
            total = join(total, static_cast<Total>(from[offsetOf(loops.reduced, n)]));
        }
        total = Team::joined(join, total, none);
        if (Team::threadInTeam() == 0) {
            y[k] = static_cast<float>(total);
        }
    }
}

template <class Join, class Total>
void reduce(Join join, Total none, const ReduceLoops& loops, const float* x, float* y,
            StreamHandle stream) {
    const auto launch = [&]<class Team>(Team team, unsigned blocks) {
        const auto kernel = reduceKernel<Team, Join, Total>;
        KERNEL_LAUNCH(kernel, blocks, blockThreads, 0, stream, team, join, none, loops, x, y);
    };
    if (loops.isInnermostReduced()) {
        withTeamOrSingleThread(loops.kept.iterations, loops.reduced.iterations, launch);
    } else { // neighbouring threads read neighbouring elements
        launch(SingleThread{}, blocksFor(loops.kept.iterations));
    }
}

} // namespace

void launchReduce(Reduction reduction, const ReduceLoops& loops, const float* x, float* y,
                  StreamHandle stream) {
    switch (reduction) {
    case Reduction::sum: return reduce(Sum{}, 0.0, loops, x, y, stream);
    case Reduction::product: return reduce(Product{}, 1.0, loops, x, y, stream);
    case Reduction::maximum: return reduce(Larger{}, -INFINITY, loops, x, y, stream);
    }
}

} // namespace weft::cuda
