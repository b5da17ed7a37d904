// SPDX-License-Identifier: Apache-2.0
#pragma once
// Updates of many tensors in one launch, up to a limit per launch.

#include "backends/cuda/kernels/integers.h"
#include "backends/cuda/kernels/stream_handle.h"

#include <array>
#include <cstdint>

namespace weft::cuda {

struct UpdatedParameter {
    const float* w = nullptr; ///< parameter
    const float* g = nullptr; ///< gradient
    const float* m = nullptr; ///< momentum or first moment
    const float* v = nullptr; ///< second moment
    float* wNext = nullptr;
    float* mNext = nullptr;
    float* vNext = nullptr;
    std::int64_t n = 0; ///< elements of each
};
struct Bucket {
    static constexpr std::size_t most = 32; ///< maximum number of members
    std::array<UpdatedParameter, most> members = {};
    std::array<std::int64_t, most + 1> firstBlock = {}; ///< per member, then the total
    std::size_t count = 0;                              ///< number of members
};

/// g' = g + decay w; w' = w - scale rate g'
struct SgdSettings {
    float decay = 0, scale = 1; ///< L2 weight decay; factor of the learning rate
    float momentum = 0;
    bool isNesterov = false;
};
void launchSgd(Bucket bucket, const SgdSettings& with, const float* rate, StreamHandle stream);
/// m' = momentum m + g'; w' = w - scale rate (nesterov ? g' + momentum m' : m')
void launchSgdMomentum(Bucket bucket, const SgdSettings& with, const float* rate,
                       StreamHandle stream);

/// m' = b1 m + (1 - b1) g'; v' = b2 v + (1 - b2) g'^2; r = scale rate;
/// w' = w - r / (1 - b1^t) m' / (sqrt(v') / sqrt(1 - b2^t) + epsilon)
struct AdamSettings {
    double beta1 = 0, beta2 = 0, epsilon = 0, decay = 0, scale = 1; ///< scale: of the rate
    bool isDecoupled = false; ///< w (1 - r decay) in place of decay in g'
};
void launchAdam(Bucket bucket, const AdamSettings& with, const float* rate, const Integers& step,
                StreamHandle stream);

/// v' = keep v + take g'^2; w' = w - scale rate g' / (sqrt(v') + epsilon)
struct RmspropSettings {
    float keep = 0, take = 0;                ///< alpha, 1 - alpha
    float epsilon = 0, decay = 0, scale = 1; ///< scale: factor of the learning rate
    float momentum = 0;
};
void launchRmsprop(Bucket bucket, const RmspropSettings& with, const float* rate,
                   StreamHandle stream);
/// m' = momentum m + g' / (sqrt(v') + epsilon); w' = w - scale rate m'
void launchRmspropMomentum(Bucket bucket, const RmspropSettings& with, const float* rate,
                           StreamHandle stream);

} // namespace weft::cuda
