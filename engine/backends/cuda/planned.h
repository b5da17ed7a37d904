// SPDX-License-Identifier: Apache-2.0
#pragma once
// What makers that hand their work to the library share.

#include "backends/cuda/convolution_of.h"
#include "backends/cuda/plans.h"

#include <map>

namespace weft::cuda {

/// What explain shows: "cudnn", "cudnn in TF32", "cudnn in bf16".
[[nodiscard]] std::string nameOfPlanned(Precision precision);

/// On this machine: the library. Empty: nothing.
[[nodiscard]] std::string whatPlanningLacks();

/// Whether the windows over a padded map are those asked for: the library counts them itself.
[[nodiscard]] bool hasAllWindows(const Convolution& c);

/// Exactly or in TF32, all plain. Where the library has no such plan for the chip that it runs on,
/// or an operand lies on an odd address, our own kernel computes the same; the scratch does for
/// both.
[[nodiscard]] ChoiceOrRefusal plannedConvolution(const KernelRequest& request,
                                                 const AskedConvolution& asked,
                                                 Precision precision);

/// In bf16: operands are rounded and laid channels-last on their way into scratch, where the
/// library multiplies them; what it made comes back as f32. Where it has no plan, ours computes
/// exactly.
[[nodiscard]] ChoiceOrRefusal halvedConvolution(const KernelRequest& request,
                                                const AskedConvolution& asked);

[[nodiscard]] std::map<Precision, KernelList> roundingKernels();

} // namespace weft::cuda
