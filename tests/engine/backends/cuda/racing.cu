// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/kernels/launch.h"
#include "racing.h"

namespace weft::test {

namespace {

__global__ void wrongKernel(Wrong how, const float* x, float* y) {
    __shared__ float shared[64];
    const unsigned k = threadIdx.x;
    if (how != Wrong::neverWritten || k != 63) {
        shared[k] = x[k];
    }
    if (how != Wrong::noBarrier) {
        __syncthreads();
    }
    y[k] = shared[63 - k];
    if (how == Wrong::twoWriters && k < 2) {
        y[40] = 1;
    }
    if (how == Wrong::oneTooFar && k == 63) {
        y[64] = 0;
    }
}

__global__ void sumKernel(const float* x, float* y) { y[0] += x[blockIdx.x]; }

} // namespace

void launchWrong(Wrong how, const float* x, float* y) {
    if (how == Wrong::notAtomic) {
        KERNEL_LAUNCH(sumKernel, 4, 1, 0, nullptr, x, y);
    } else {
        KERNEL_LAUNCH(wrongKernel, 1, 64, 0, nullptr, how, x, y);
    }
}

} // namespace weft::test
