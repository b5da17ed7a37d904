// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/kernels/teams.h"
#include "backends/cuda/norms/softmax.h"

#include <cmath>

namespace weft::cuda {

namespace {

template <class Team>
__global__ void softmaxKernel(Team, const float* x, std::int64_t rows, std::int64_t d, float* y) {
    for (std::int64_t row = Team::firstRow(); row < rows; row += Team::rowStep()) {
        const std::int64_t first = row * d;
        float most = -INFINITY;
        for (std::int64_t k = Team::threadInTeam(); k < d; k += Team::size()) {
            most = Maximum{}(most, x[first + k]);
        }
        most = Team::joined(Maximum{}, most, -INFINITY);
        float sum = 0;
        for (std::int64_t k = Team::threadInTeam(); k < d; k += Team::size()) {
            y[first + k] = expf(x[first + k] - most); // each thread later reads only its own
                                                      // numbers
            sum += y[first + k];
        }
        sum = Team::joined(Sum{}, sum, 0.0F);
        for (std::int64_t k = Team::threadInTeam(); k < d; k += Team::size()) {
            y[first + k] /= sum;
        }
    }
}

template <class Team>
__global__ void softmaxGradientKernel(Team, const float* y, const float* dy, std::int64_t rows,
                                      std::int64_t d, float* dx) {
    for (std::int64_t row = Team::firstRow(); row < rows; row += Team::rowStep()) {
        const std::int64_t first = row * d;
        const float sum = Team::template sum<float>(
            d, [=](std::int64_t k) { return y[first + k] * dy[first + k]; });
        for (std::int64_t k = Team::threadInTeam(); k < d; k += Team::size()) {
            dx[first + k] = y[first + k] * (dy[first + k] - sum);
        }
    }
}

} // namespace

void launchSoftmax(const float* x, std::int64_t rows, std::int64_t d, float* y,
                   StreamHandle stream) {
    withTeam(rows, d, [&]<class Team>(Team team, unsigned blocks) {
        KERNEL_LAUNCH(softmaxKernel<Team>, blocks, blockThreads, 0, stream, team, x, rows, d, y);
    });
}

void launchSoftmaxGradient(const float* y, const float* dy, std::int64_t rows, std::int64_t d,
                           float* dx, StreamHandle stream) {
    withTeam(rows, d, [&]<class Team>(Team team, unsigned blocks) {
        KERNEL_LAUNCH(softmaxGradientKernel<Team>, blocks, blockThreads, 0, stream, team, y, dy,
                      rows, d, dx);
    });
}

} // namespace weft::cuda
