// SPDX-License-Identifier: Apache-2.0
#pragma once
// How makers of attention and its gradients find the operands of a request.

#include "backends/cuda/attention.h"
#include "device/kernel.h"

#include <functional>
#include <string>

namespace weft::cuda {

/// One way to compute all passes; see KernelMaker::lacks.
struct AttentionWay {
    std::string name;
    std::function<bool(const Attention&, AttentionPass)> hasRoom; ///< for a head's features
    std::function<void(const Attention&, AttentionPass, const AttentionOperands&, float* result,
                       float* lse, StreamHandle)>
        launch;
    std::function<std::string()> lacks = {};
};
void addAttention(KernelList& list, const AttentionWay& way);

} // namespace weft::cuda
