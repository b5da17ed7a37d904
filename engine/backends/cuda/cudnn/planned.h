// SPDX-License-Identifier: Apache-2.0
#pragma once
// Shared by makers of kernels that use library plans.

#include "backends/cuda/cudnn/plans.h"
#include "backends/cuda/windows/convolution_of.h"

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace weft::cuda {

/// Shown by explain: "cudnn", "cudnn in TF32", "cudnn in bf16".
[[nodiscard]] std::string plannedKernelName(Precision precision);
/// Engine name of Weft's own kernel among the measured plans.
constexpr const char* ownEngine = "cuda";
/// "cudnn in TF32, engine 28, measured", or "cuda, measured" if Weft's own kernel is the fastest.
[[nodiscard]] std::string plannedKernelName(Precision precision, const MeasuredPlan* measured);

/// Key of measured plans: everything that a kernel's time depends on.
[[nodiscard]] std::string measurementKeyOf(const RequestedConvolution& asked, Precision precision);
/// Returns the measured plan of that name for the request's GPU within the workspace limit, or
/// nullptr.
[[nodiscard]] const MeasuredPlan* measuredPlan(const KernelRequest& request,
                                               const std::string& name, std::int64_t limit);
/// Returns the plan of that name, else the library's first plan; nullptr: Weft's own kernel is
/// used.
[[nodiscard]] std::unique_ptr<Plan> planFor(const PlannedConvolution& planned,
                                            std::int64_t workspace, const std::string& engine);
/// Returns all plans of the library within the workspace, and Weft's own kernel, which needs `own`
/// bytes of scratch; `kernelOf` makes a kernel from a plan, or from none.
[[nodiscard]] KernelAlgorithms
kernelWaysOf(const KernelRequest& request, std::string name, std::int64_t scratch, std::int64_t own,
             const PlannedConvolution& planned, std::int64_t workspace,
             const std::function<std::unique_ptr<Kernel>(std::unique_ptr<Plan> plan)>& kernelOf);

/// Describes a kernel with that plan, or without one, for a run's record: "cuDNN 9.19.0, engine 28,
/// 2=4 3=0".
[[nodiscard]] std::string planDescription(const Plan* plan);

/// Returns what this machine lacks: the library. Empty: nothing.
[[nodiscard]] std::string missingForPlans();

[[nodiscard]] bool isAlignedForPlan(const void* address);

/// True if the library, which derives the number of windows itself, gets the requested number.
[[nodiscard]] bool countsSameWindows(const Convolution& c);

/// Returns the layout flags of operands and result of a pass.
[[nodiscard]] std::array<bool Convolution::*, 3> layoutFlagsOf(ConvolutionPass pass);

/// Returns the choice with the layouts of `asked.of`; an addend has the result's layout.
/// `prefersChannelsLast`: tells the producer of the filters that the library uses channels-last.
[[nodiscard]] ChoiceOrRefusal withLayoutsOf(const KernelRequest& request,
                                            const RequestedConvolution& asked,
                                            bool prefersChannelsLast, KernelChoice choice);

/// Computes exactly with plain formats, or in TF32 with channels-last. Weft's own kernel, with the
/// same scratch, computes if the library has no plan for the GPU or an operand is unaligned.
[[nodiscard]] ChoiceOrRefusal choosePlannedConvolution(const KernelRequest& request,
                                                       RequestedConvolution asked,
                                                       Precision precision);

/// Computes in bf16: operands and results are bf16 and channels-last; filter gradients are f32, and
/// so are results to which an f32 value is added. Without a plan, Weft's own kernel computes
/// exactly.
[[nodiscard]] ChoiceOrRefusal chooseBf16Convolution(const KernelRequest& request,
                                                    RequestedConvolution asked);

[[nodiscard]] std::map<Precision, KernelList> roundingKernels();

} // namespace weft::cuda
