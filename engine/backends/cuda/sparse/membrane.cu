// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/kernels/launch.h"
#include "backends/cuda/sparse/membrane.h"

namespace weft::cuda {

namespace {

/// Computes y[k] = f(k, s), where s is the number of k's batch element.
template <class Function>
__global__ void ofBatchKernel(BatchSizes batch, Function f, const float* numbers, float* y) {
    for (std::int64_t k = firstElement(); k < batch.n; k += elementStep()) {
        y[k] = f(k, numbers[quotient(k, batch.each)]);
    }
}

template <class Function>
void launchOfBatch(const BatchSizes& batch, Function f, const float* numbers, float* y,
                   StreamHandle stream) {
    const auto kernel = ofBatchKernel<Function>;
    KERNEL_LAUNCH(kernel, blocksFor(batch.n), blockThreads, 0, stream, batch, f, numbers, y);
}

struct Membrane {
    float tau, self;
    const float* v;
    const float* drive;
    const float* a;
    __device__ float operator()(std::int64_t k, float step) const {
        const float share = -expm1f(-step / tau);
        return expf(-step / tau) * v[k] + share * (drive[k] + self * a[k]);
    }
};

struct Weigh {
    StepWeight by;
    float tau;
    const float* x;
    __device__ float operator()(std::int64_t k, float step) const {
        const float ratio = step / tau;
        return x[k] * (by == StepWeight::keep   ? expf(-ratio)
                       : by == StepWeight::take ? -expm1f(-ratio)
                                                : ratio);
    }
};

struct Rest {
    const float* v;
    const float* atRest;
    __device__ float operator()(std::int64_t k, float begins) const {
        return begins != 0 ? atRest[k] : v[k];
    }
};

} // namespace

void launchMembrane(const BatchSizes& batch, float tau, float self, const float* v,
                    const float* drive, const float* a, const float* step, float* next,
                    StreamHandle stream) {
    launchOfBatch(batch, Membrane{tau, self, v, drive, a}, step, next, stream);
}

void launchStepWeight(const BatchSizes& batch, StepWeight by, float tau, const float* x,
                      const float* step, float* y, StreamHandle stream) {
    launchOfBatch(batch, Weigh{by, tau, x}, step, y, stream);
}

void launchResetToRest(const BatchSizes& batch, const float* v, const float* atRest,
                       const float* begins, float* y, StreamHandle stream) {
    launchOfBatch(batch, Rest{v, atRest}, begins, y, stream);
}

} // namespace weft::cuda
