// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/kernels/teams.h"
#include "backends/cuda/losses/losses.h"

#include <cmath>
#include <cstring>

namespace weft::cuda {

namespace {

__global__ void mseGradientKernel(const float* x, const float* target, const float* dy,
                                  float factor, float* dx, std::int64_t n) {
    for (std::int64_t k = firstElement(); k < n; k += elementStep()) {
        dx[k] = factor * (x[k] - target[k]) * *dy;
    }
}

template <class Team>
__global__ void crossEntropyKernel(Team, ClassRows of, const float* x, Targets targets, float* loss,
                                   float* lse) {
    for (std::int64_t row = Team::firstRow(); row < of.rows; row += Team::rowStep()) {
        const float* const logits = x + row * of.classes;
        float most = -INFINITY;
        for (std::int64_t k = Team::threadInTeam(); k < of.classes; k += Team::size()) {
            most = Maximum{}(most, logits[k]);
        }
        most = Team::joined(Maximum{}, most, -INFINITY);
        const float sum = Team::template sum<float>(
            of.classes, [=](std::int64_t k) { return expf(logits[k] - most); });
        if (Team::threadInTeam() == 0) {
            const float all = most + logf(sum);
            const std::int64_t target = targets.of.at(row);
            const bool isClass = target >= 0 && target < of.classes;
            lse[row] = all;
            loss[row] = target == targets.ignored ? 0.0F : isClass ? all - logits[target] : NAN;
        }
    }
}

__global__ void crossEntropyGradientKernel(ClassRows of, const float* x, Targets targets,
                                           const float* lse, const float* dloss, float* dx) {
    for (std::int64_t e = firstElement(); e < of.rows * of.classes; e += elementStep()) {
        const std::int64_t row = quotient(e, of.classes);
        const std::int64_t target = targets.of.at(row);
        const float hot = of.first + e - row * of.classes == target ? 1.0F : 0.0F;
        dx[e] = (expf(x[e] - lse[row]) - hot) * (target == targets.ignored ? 0.0F : dloss[row]);
    }
}

__global__ void pickKernel(ClassRows of, const float* x, Targets targets, float* y) {
    for (std::int64_t row = firstElement(); row < of.rows; row += elementStep()) {
        const std::int64_t target = targets.of.at(row);
        const std::int64_t k = target - of.first;
        const bool counts = target != targets.ignored;
        const bool isHere = counts && k >= 0 && k < of.classes;
        const bool isNone = counts && (target < 0 || target >= of.whole);
        y[row] = isNone ? NAN : isHere ? x[row * of.classes + k] : 0.0F;
    }
}

/// A key that orders by larger number, then by smaller index; NaN is smallest.
[[nodiscard]] __device__ unsigned long long rankOf(float x, std::int64_t k) {
    std::uint32_t bits = 0;
    const float number = x == 0 ? 0.0F : x; // merges -0 and +0
    memcpy(&bits, &number, sizeof bits);
    const std::uint32_t ordered = (bits >> 31) != 0 ? ~bits : bits | 0x80000000U;
    const std::uint32_t above = x == x ? ordered : 0;
    return static_cast<unsigned long long>(above) << 32 |
           (0xFFFFFFFFU - static_cast<std::uint32_t>(k));
}

template <class Team>
[[nodiscard]] __device__ std::int64_t placeOfMost(const float* x, std::int64_t classes) {
    unsigned long long most = 0;
    for (std::int64_t k = Team::threadInTeam(); k < classes; k += Team::size()) {
        most = Maximum{}(most, rankOf(x[k], k));
    }
    most = Team::joined(Maximum{}, most, 0ULL);
    return 0xFFFFFFFFU - static_cast<std::uint32_t>(most);
}

template <class Team>
__global__ void argmaxKernel(Team, ClassRows of, const float* x, IntegerResult index) {
    for (std::int64_t row = Team::firstRow(); row < of.rows; row += Team::rowStep()) {
        const std::int64_t place = placeOfMost<Team>(x + row * of.classes, of.classes);
        if (Team::threadInTeam() == 0) {
            index.set(row, place);
        }
    }
}

template <class Team>
__global__ void rowHitsKernel(Team, ClassRows of, const float* x, Targets targets, float* hit) {
    for (std::int64_t row = Team::firstRow(); row < of.rows; row += Team::rowStep()) {
        const std::int64_t place = placeOfMost<Team>(x + row * of.classes, of.classes);
        if (Team::threadInTeam() == 0) {
            const std::int64_t target = targets.of.at(row);
            hit[row] = place == target && target != targets.ignored ? 1.0F : 0.0F;
        }
    }
}

template <class Team>
__global__ void indexOfMaxKernel(Team, ClassRows of, const float* x, const float* m, float* y) {
    for (std::int64_t row = Team::firstRow(); row < of.rows; row += Team::rowStep()) {
        long long before = -of.whole;
        for (std::int64_t k = Team::threadInTeam(); k < of.classes; k += Team::size()) {
            if (x[row * of.classes + k] >= m[row]) {
                before = Maximum{}(before, static_cast<long long>(-(of.first + k)));
            }
        }
        before = Team::joined(Maximum{}, before, -static_cast<long long>(of.whole));
        if (Team::threadInTeam() == 0) {
            y[row] = static_cast<float>(before);
        }
    }
}

__global__ void negatedIndexKernel(const float* x, IntegerResult index, std::int64_t n) {
    for (std::int64_t k = firstElement(); k < n; k += elementStep()) {
        index.set(k, static_cast<std::int64_t>(-x[k]));
    }
}

__global__ void hitKernel(const float* x, Targets targets, float* y, std::int64_t n) {
    for (std::int64_t k = firstElement(); k < n; k += elementStep()) {
        const std::int64_t target = targets.of.at(k);
        const bool isHit = x[k] == -static_cast<float>(target);
        y[k] = isHit && target != targets.ignored ? 1.0F : 0.0F;
    }
}

__global__ void zeroIgnoredKernel(const float* x, Targets targets, float* y, std::int64_t n) {
    for (std::int64_t k = firstElement(); k < n; k += elementStep()) {
        y[k] = targets.of.at(k) == targets.ignored ? 0.0F : x[k];
    }
}

} // namespace

void launchMseGradient(const float* x, const float* target, const float* dy, float factor,
                       float* dx, std::int64_t n, StreamHandle stream) {
    KERNEL_LAUNCH(mseGradientKernel, blocksFor(n), blockThreads, 0, stream, x, target, dy, factor,
                  dx, n);
}

void launchCrossEntropy(const ClassRows& rows, const float* x, const Targets& targets, float* loss,
                        float* lse, StreamHandle stream) {
    withTeam(rows.rows, rows.classes, [&]<class Team>(Team team, unsigned blocks) {
        KERNEL_LAUNCH(crossEntropyKernel<Team>, blocks, blockThreads, 0, stream, team, rows, x,
                      targets, loss, lse);
    });
}

void launchCrossEntropyGradient(const ClassRows& rows, const float* x, const Targets& targets,
                                const float* lse, const float* dloss, float* dx,
                                StreamHandle stream) {
    KERNEL_LAUNCH(crossEntropyGradientKernel, blocksFor(rows.rows * rows.classes), blockThreads, 0,
                  stream, rows, x, targets, lse, dloss, dx);
}

void launchPick(const ClassRows& rows, const float* x, const Targets& targets, float* y,
                StreamHandle stream) {
    KERNEL_LAUNCH(pickKernel, blocksFor(rows.rows), blockThreads, 0, stream, rows, x, targets, y);
}

void launchArgmax(const ClassRows& rows, const float* x, const IntegerResult& index,
                  StreamHandle stream) {
    withTeam(rows.rows, rows.classes, [&]<class Team>(Team team, unsigned blocks) {
        KERNEL_LAUNCH(argmaxKernel<Team>, blocks, blockThreads, 0, stream, team, rows, x, index);
    });
}

void launchRowHits(const ClassRows& rows, const float* x, const Targets& targets, float* hit,
                   StreamHandle stream) {
    withTeam(rows.rows, rows.classes, [&]<class Team>(Team team, unsigned blocks) {
        KERNEL_LAUNCH(rowHitsKernel<Team>, blocks, blockThreads, 0, stream, team, rows, x, targets,
                      hit);
    });
}

void launchNegatedIndexOfMax(const ClassRows& rows, const float* x, const float* m, float* y,
                             StreamHandle stream) {
    withTeam(rows.rows, rows.classes, [&]<class Team>(Team team, unsigned blocks) {
        KERNEL_LAUNCH(indexOfMaxKernel<Team>, blocks, blockThreads, 0, stream, team, rows, x, m, y);
    });
}

void launchNegatedIndex(const float* x, const IntegerResult& index, std::int64_t n,
                        StreamHandle stream) {
    KERNEL_LAUNCH(negatedIndexKernel, blocksFor(n), blockThreads, 0, stream, x, index, n);
}

void launchHit(const float* x, const Targets& targets, float* y, std::int64_t n,
               StreamHandle stream) {
    KERNEL_LAUNCH(hitKernel, blocksFor(n), blockThreads, 0, stream, x, targets, y, n);
}

void launchZeroIgnored(const float* x, const Targets& targets, float* y, std::int64_t n,
                       StreamHandle stream) {
    KERNEL_LAUNCH(zeroIgnoredKernel, blocksFor(n), blockThreads, 0, stream, x, targets, y, n);
}

} // namespace weft::cuda
