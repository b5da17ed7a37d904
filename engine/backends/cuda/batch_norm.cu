// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/batch_norm.h"
#include "backends/cuda/half_numbers.h"

#include <cmath>

namespace weft::cuda {

namespace {

[[nodiscard]] __device__ std::int64_t channelOf(const Along& along, std::int64_t e) {
    const std::int64_t run = quotient(e, along.inner);
    return run - quotient(run, along.n) * along.n;
}

template <class Kept>
__global__ void normaliseChannelsKernel(Along along, ChannelNumbers of, const Kept* x,
                                        const float* beta, Kept* y) {
    const std::int64_t elements = along.outer * along.n * along.inner;
    for (std::int64_t e = firstElement(); e < elements; e += elementStep()) {
        const std::int64_t c = channelOf(along, e);
        const float inverse = 1 / sqrtf(of.variance[c] + of.epsilon);
        y[e] = kept<Kept>(of.gamma[c] * ((wide(x[e]) - of.mean[c]) * inverse) + beta[c]);
    }
}

template <class Kept>
__global__ void batchNormInputKernel(Along along, ChannelNumbers of, float count, const Kept* x,
                                     const Kept* dy, const float* dgamma, const float* dbeta,
                                     Kept* dx) {
    const std::int64_t elements = along.outer * along.n * along.inner;
    for (std::int64_t e = firstElement(); e < elements; e += elementStep()) {
        const std::int64_t c = channelOf(along, e);
        const float inverse = 1 / sqrtf(of.variance[c] + of.epsilon);
        const float normalised = (wide(x[e]) - of.mean[c]) * inverse;
        dx[e] = kept<Kept>(of.gamma[c] * inverse *
                           (wide(dy[e]) - dbeta[c] / count - normalised * (dgamma[c] / count)));
    }
}

__global__ void runningKernel(float keep, float take, const float* running, const float* now,
                              float* y, std::int64_t n) {
    for (std::int64_t k = firstElement(); k < n; k += elementStep()) {
        y[k] = keep * running[k] + take * now[k];
    }
}

std::int64_t elementsIn(const Along& along) { return along.outer * along.n * along.inner; }

} // namespace

template <class Kept>
void launchNormaliseChannels(const Along& along, const ChannelNumbers& of, const Kept* x,
                             const float* beta, Kept* y, Stream stream) {
    KERNEL_LAUNCH(normaliseChannelsKernel<Kept>, blocksFor(elementsIn(along)), blockThreads, 0,
                  stream, along, of, x, beta, y);
}

template <class Kept>
void launchBatchNormInput(const Along& along, const ChannelNumbers& of, float count, const Kept* x,
                          const Kept* dy, const float* dgamma, const float* dbeta, Kept* dx,
                          Stream stream) {
    KERNEL_LAUNCH(batchNormInputKernel<Kept>, blocksFor(elementsIn(along)), blockThreads, 0, stream,
                  along, of, count, x, dy, dgamma, dbeta, dx);
}

void launchRunning(float keep, float take, const float* running, const float* now, float* y,
                   std::int64_t n, Stream stream) {
    KERNEL_LAUNCH(runningKernel, blocksFor(n), blockThreads, 0, stream, keep, take, running, now, y,
                  n);
}

template void launchNormaliseChannels(const Along&, const ChannelNumbers&, const float*,
                                      const float*, float*, Stream);
template void launchBatchNormInput(const Along&, const ChannelNumbers&, float, const float*,
                                   const float*, const float*, const float*, float*, Stream);
template void launchNormaliseChannels(const Along&, const ChannelNumbers&, const Half*,
                                      const float*, Half*, Stream);
template void launchBatchNormInput(const Along&, const ChannelNumbers&, float, const Half*,
                                   const Half*, const float*, const float*, Half*, Stream);

} // namespace weft::cuda
