// SPDX-License-Identifier: Apache-2.0
#pragma once
// What makers that hand their work to the library share.

#include "backends/cuda/convolution_of.h"
#include "backends/cuda/plans.h"

namespace weft::cuda {

/// What explain shows: "cudnn", "cudnn in TF32".
[[nodiscard]] std::string nameOfPlanned(Precision precision);

/// On this machine: the library. Empty: nothing.
[[nodiscard]] std::string whatPlanningLacks();

/// All plain. Where the library has no such plan for the chip that it runs on, or an operand lies
/// on an odd address, our own kernel computes the same; the scratch does for both.
[[nodiscard]] ChoiceOrRefusal plannedConvolution(const KernelRequest& request,
                                                 const AskedConvolution& asked,
                                                 Precision precision);

/// In TF32.
[[nodiscard]] KernelList roundingKernels();

} // namespace weft::cuda
