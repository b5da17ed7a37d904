// SPDX-License-Identifier: Apache-2.0
#pragma once
// Makers of attention and its gradients, shared by the implementations.

#include "backends/cuda/attention/attention.h"
#include "device/kernel.h"

#include <functional>
#include <string>

namespace weft::cuda {

/// One implementation of all passes; see KernelMaker::lacks.
struct AttentionImplementation {
    std::string name;
    /// true if the features per head fit
    std::function<bool(const Attention&, AttentionPass)> fitsFeatures;
    std::function<void(const Attention&, AttentionPass, const AttentionOperands&, float* result,
                       float* lse, StreamHandle)>
        launch;
    std::function<std::string()> lacks = {}; ///< what the machine lacks; empty: nothing
};
void addAttention(KernelList& list, const AttentionImplementation& way);

} // namespace weft::cuda
