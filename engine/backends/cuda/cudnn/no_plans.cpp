// SPDX-License-Identifier: Apache-2.0
// Plans in a build without cuDNN: there are none.
#include "backends/cuda/cudnn/plans.h"

namespace weft::cuda::plans {

bool isLibraryBuiltIn() { return false; }

Library library() { return {.why = "this build has no cuDNN"}; }

std::unique_ptr<Plan> make(const PlannedConvolution& /*convolution*/, std::int64_t /*workspace*/,
                           const std::string& /*properties*/, const std::string& /*engine*/) {
    return nullptr;
}

std::vector<std::unique_ptr<Plan>> makeAll(const PlannedConvolution& /*convolution*/,
                                           std::int64_t /*workspace*/,
                                           const std::string& /*properties*/) {
    return {};
}

} // namespace weft::cuda::plans
