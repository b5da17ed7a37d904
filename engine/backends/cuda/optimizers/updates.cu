// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/kernels/launch.h"
#include "backends/cuda/optimizers/updates.h"

#include <cmath>

namespace weft::cuda {

namespace {

constexpr std::int64_t ofBlock = 8 * blockThreads; ///< elements per block

/// Calls update(member, element) for this thread's elements of its block's member.
template <class Update>
__device__ void onBucket(const Bucket& bucket, const Update& update) {
    std::size_t k = 0;
    while (bucket.firstBlock[k + 1] <= blockIdx.x) {
        ++k;
    }
    const UpdatedParameter& of = bucket.members[k];
    const std::int64_t begin = (blockIdx.x - bucket.firstBlock[k]) * ofBlock;
    const std::int64_t end = std::min(begin + ofBlock, of.n);
    for (std::int64_t e = begin + threadIdx.x; e < end; e += blockThreads) {
        update(of, e);
    }
}

__global__ void sgdKernel(Bucket bucket, SgdSettings with, const float* rate) {
    const float r = with.scale * *rate;
    onBucket(bucket, [=](const UpdatedParameter& of, std::int64_t e) {
        const float w = of.w[e];
        of.wNext[e] = w - r * (of.g[e] + with.decay * w);
    });
}

__global__ void sgdMomentumKernel(Bucket bucket, SgdSettings with, const float* rate) {
    const float r = with.scale * *rate;
    onBucket(bucket, [=](const UpdatedParameter& of, std::int64_t e) {
        const float w = of.w[e];
        const float decayed = of.g[e] + with.decay * w;
        const float moved = with.momentum * of.m[e] + decayed;
        of.wNext[e] = w - r * (with.isNesterov ? decayed + with.momentum * moved : moved);
        of.mNext[e] = moved;
    });
}

/// Factors derived from the settings, the step number and the rate.
struct StepFactors {
    float keep1, take1, keep2, take2, ofWeight, ofDecay, size, inverseRoot, epsilon;
};

__device__ StepFactors stepFactors(const AdamSettings& with, double rate, double t) {
    const double r = with.scale * rate;
    return {static_cast<float>(with.beta1),
            static_cast<float>(1 - with.beta1),
            static_cast<float>(with.beta2),
            static_cast<float>(1 - with.beta2),
            with.isDecoupled ? static_cast<float>(1 - r * with.decay) : 1.0F,
            with.isDecoupled ? 0.0F : static_cast<float>(with.decay),
            static_cast<float>(r / (1 - pow(with.beta1, t))),
            static_cast<float>(1 / sqrt(1 - pow(with.beta2, t))),
            static_cast<float>(with.epsilon)};
}

__global__ void adamKernel(Bucket bucket, AdamSettings with, const float* rate, Integers step) {
    __shared__ StepFactors f;
    if (threadIdx.x == 0) {
        f = stepFactors(with, *rate, static_cast<double>(step.at(0)));
    }
    __syncthreads();
    onBucket(bucket, [&](const UpdatedParameter& of, std::int64_t e) {
        const float w = of.w[e];
        const float decayed = of.g[e] + f.ofDecay * w;
        const float first = f.keep1 * of.m[e] + f.take1 * decayed;
        const float second = f.keep2 * of.v[e] + f.take2 * decayed * decayed;
        const float root = sqrtf(second) * f.inverseRoot + f.epsilon;
        of.wNext[e] = f.ofWeight * w - f.size * first / root;
        of.mNext[e] = first;
        of.vNext[e] = second;
    });
}

__global__ void rmspropKernel(Bucket bucket, RmspropSettings with, const float* rate) {
    const float r = with.scale * *rate;
    onBucket(bucket, [=](const UpdatedParameter& of, std::int64_t e) {
        const float w = of.w[e];
        const float decayed = of.g[e] + with.decay * w;
        const float square = with.keep * of.v[e] + with.take * decayed * decayed;
        of.wNext[e] = w - r * (decayed / (sqrtf(square) + with.epsilon));
        of.vNext[e] = square;
    });
}

__global__ void rmspropMomentumKernel(Bucket bucket, RmspropSettings with, const float* rate) {
    const float r = with.scale * *rate;
    onBucket(bucket, [=](const UpdatedParameter& of, std::int64_t e) {
        const float w = of.w[e];
        const float decayed = of.g[e] + with.decay * w;
        const float square = with.keep * of.v[e] + with.take * decayed * decayed;
        const float moved = with.momentum * of.m[e] + decayed / (sqrtf(square) + with.epsilon);
        of.wNext[e] = w - r * moved;
        of.vNext[e] = square;
        of.mNext[e] = moved;
    });
}

/// Assigns blocks to members; returns the total number of blocks.
unsigned shareOutBlocks(Bucket& bucket) {
    for (std::size_t k = 0; k < bucket.count; ++k) {
        bucket.firstBlock[k + 1] =
            bucket.firstBlock[k] + (bucket.members[k].n + ofBlock - 1) / ofBlock;
    }
    return static_cast<unsigned>(bucket.firstBlock[bucket.count]);
}

} // namespace

void launchSgd(Bucket bucket, const SgdSettings& with, const float* rate, StreamHandle stream) {
    const unsigned blocks = shareOutBlocks(bucket);
    KERNEL_LAUNCH(sgdKernel, blocks, blockThreads, 0, stream, bucket, with, rate);
}

void launchSgdMomentum(Bucket bucket, const SgdSettings& with, const float* rate,
                       StreamHandle stream) {
    const unsigned blocks = shareOutBlocks(bucket);
    KERNEL_LAUNCH(sgdMomentumKernel, blocks, blockThreads, 0, stream, bucket, with, rate);
}

void launchAdam(Bucket bucket, const AdamSettings& with, const float* rate, const Integers& step,
                StreamHandle stream) {
    const unsigned blocks = shareOutBlocks(bucket);
    KERNEL_LAUNCH(adamKernel, blocks, blockThreads, 0, stream, bucket, with, rate, step);
}

void launchRmsprop(Bucket bucket, const RmspropSettings& with, const float* rate,
                   StreamHandle stream) {
    const unsigned blocks = shareOutBlocks(bucket);
    KERNEL_LAUNCH(rmspropKernel, blocks, blockThreads, 0, stream, bucket, with, rate);
}

void launchRmspropMomentum(Bucket bucket, const RmspropSettings& with, const float* rate,
                           StreamHandle stream) {
    const unsigned blocks = shareOutBlocks(bucket);
    KERNEL_LAUNCH(rmspropMomentumKernel, blocks, blockThreads, 0, stream, bucket, with, rate);
}

} // namespace weft::cuda
