// SPDX-License-Identifier: Apache-2.0
#pragma once
// The convolutions of the samples and the benches (projects/), as their designs train them.

#include "backends/cuda/cudnn/plans.h"

#include <string>
#include <vector>

namespace weft::test {

struct SampleConvolution {
    std::string of; ///< "googlenet/bench: conv1"
    cuda::PlannedConvolution planned;
};
/// All passes that a training step of the designs computes, in a precision, each convolution once;
/// the forward pass with what may follow it in one call too. `times`: of what a batch holds.
[[nodiscard]] std::vector<SampleConvolution> sampleConvolutions(Precision precision,
                                                                std::int64_t times = 1);
[[nodiscard]] std::vector<cuda::PlannedConvolution>
plannedOf(const std::vector<SampleConvolution>& all);

} // namespace weft::test
