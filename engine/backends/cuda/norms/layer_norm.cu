// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/kernels/teams.h"
#include "backends/cuda/norms/layer_norm.h"

#include <cmath>

namespace weft::cuda {

namespace {

template <class Team>
__global__ void layerNormKernel(Team, FeatureRows of, float epsilon, const float* x,
                                const float* gamma, const float* beta, float* y, float* mean,
                                float* r) {
    for (std::int64_t row = Team::firstRow(); row < of.rows; row += Team::rowStep()) {
        const float* const from = x + row * of.d;
        const float m =
            Team::template sum<float>(of.d, [=](std::int64_t k) { return from[k]; }) / of.whole;
        const float squares = Team::template sum<float>(
            of.d, [=](std::int64_t k) { return (from[k] - m) * (from[k] - m); });
        const float inverse = 1 / sqrtf(squares / of.whole + epsilon);
        for (std::int64_t k = Team::threadInTeam(); k < of.d; k += Team::size()) {
            y[row * of.d + k] = gamma[k] * ((from[k] - m) * inverse) + beta[k];
        }
        if (Team::threadInTeam() == 0) {
            mean[row] = m;
            r[row] = inverse;
        }
    }
}

template <class Team>
__global__ void layerNormInputKernel(Team, FeatureRows of, const float* x, const float* mean,
                                     const float* r, const float* gamma, const float* dy,
                                     float* dx) {
    for (std::int64_t row = Team::firstRow(); row < of.rows; row += Team::rowStep()) {
        const float* const from = x + row * of.d;
        const float* const slope = dy + row * of.d;
        const float m = mean[row];
        const float inverse = r[row];
        const float s1 =
            Team::template sum<float>(of.d, [=](std::int64_t k) { return gamma[k] * slope[k]; }) /
            of.whole;
        const float s2 =
            Team::template sum<float>(
                of.d,
                [=](std::int64_t k) { return gamma[k] * slope[k] * ((from[k] - m) * inverse); }) /
            of.whole;
        for (std::int64_t k = Team::threadInTeam(); k < of.d; k += Team::size()) {
            const float normalised = (from[k] - m) * inverse;
            dx[row * of.d + k] = inverse * (gamma[k] * slope[k] - s1 - normalised * s2);
        }
    }
}

__global__ void layerNormInputOfKernel(FeatureRows of, const float* x, const float* mean,
                                       const float* r, const float* gamma, const float* dy,
                                       const float* s1, const float* s2, float* dx) {
    for (std::int64_t e = firstElement(); e < of.rows * of.d; e += elementStep()) {
        const std::int64_t row = quotient(e, of.d);
        const float normalised = (x[e] - mean[row]) * r[row];
        dx[e] = r[row] * (gamma[e - row * of.d] * dy[e] - s1[row] - normalised * s2[row]);
    }
}

__global__ void normaliseRowsKernel(FeatureRows of, const float* x, const float* mean,
                                    const float* r, const float* gamma, const float* beta,
                                    float* y) {
    for (std::int64_t e = firstElement(); e < of.rows * of.d; e += elementStep()) {
        const std::int64_t row = quotient(e, of.d);
        const std::int64_t k = e - row * of.d;
        y[e] = gamma[k] * ((x[e] - mean[row]) * r[row]) + beta[k];
    }
}

} // namespace

void launchLayerNorm(const FeatureRows& of, float epsilon, const float* x, const float* gamma,
                     const float* beta, float* y, float* mean, float* r, StreamHandle stream) {
    withTeam(of.rows, of.d, [&]<class Team>(Team team, unsigned blocks) {
        KERNEL_LAUNCH(layerNormKernel<Team>, blocks, blockThreads, 0, stream, team, of, epsilon, x,
                      gamma, beta, y, mean, r);
    });
}

void launchLayerNormInputGradient(const FeatureRows& of, const float* x, const float* mean,
                                  const float* r, const float* gamma, const float* dy, float* dx,
                                  StreamHandle stream) {
    withTeam(of.rows, of.d, [&]<class Team>(Team team, unsigned blocks) {
        KERNEL_LAUNCH(layerNormInputKernel<Team>, blocks, blockThreads, 0, stream, team, of, x,
                      mean, r, gamma, dy, dx);
    });
}

void launchLayerNormInputGradientFromSums(const FeatureRows& of, const float* x, const float* mean,
                                          const float* r, const float* gamma, const float* dy,
                                          const float* s1, const float* s2, float* dx,
                                          StreamHandle stream) {
    KERNEL_LAUNCH(layerNormInputOfKernel, blocksFor(of.rows * of.d), blockThreads, 0, stream, of, x,
                  mean, r, gamma, dy, s1, s2, dx);
}

void launchNormaliseRows(const FeatureRows& of, const float* x, const float* mean, const float* r,
                         const float* gamma, const float* beta, float* y, StreamHandle stream) {
    KERNEL_LAUNCH(normaliseRowsKernel, blocksFor(of.rows * of.d), blockThreads, 0, stream, of, x,
                  mean, r, gamma, beta, y);
}

} // namespace weft::cuda
