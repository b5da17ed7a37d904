// SPDX-License-Identifier: Apache-2.0
#pragma once
// What makers that hand their work to the library share.

#include "backends/cuda/convolution_of.h"
#include "backends/cuda/plans.h"

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace weft::cuda {

/// What explain shows: "cudnn", "cudnn in TF32", "cudnn in bf16".
[[nodiscard]] std::string nameOfPlanned(Precision precision);
/// As which our own kernel is timed and kept beside the library's engines.
constexpr const char* ownEngine = "cuda";
/// "cudnn in TF32, engine 28, measured"; "cuda, measured" where our own kernel is the fastest.
[[nodiscard]] std::string nameOfPlanned(Precision precision, const MeasuredPlan* measured);

/// By what measured plans are kept: all of it that a kernel's time depends on.
[[nodiscard]] std::string nameOf(const RequestedConvolution& asked, Precision precision);
/// Returns the measured plan of that name for the request's GPU within the workspace limit; nullptr
/// if there is none.
[[nodiscard]] const MeasuredPlan* measuredPlan(const KernelRequest& request,
                                               const std::string& name, std::int64_t limit);
/// The plan of that name, or the first that the library offers where it has no such; nullptr: our
/// own kernel is to compute it.
[[nodiscard]] std::unique_ptr<Plan> planFor(const PlannedConvolution& planned,
                                            std::int64_t workspace, const std::string& engine);
/// All that the library offers within such workspace, and our own kernel, which needs `own` bytes
/// of scratch; `kernelOf` makes a kernel of a plan, or of none.
[[nodiscard]] KernelWays
waysOf(const KernelRequest& request, std::string name, std::int64_t scratch, std::int64_t own,
       const PlannedConvolution& planned, std::int64_t workspace,
       const std::function<std::unique_ptr<Kernel>(std::unique_ptr<Plan> plan)>& kernelOf);

/// What a run records of a kernel by that plan, or by none: "cuDNN 9.19.0, engine 28, 2=4 3=0".
[[nodiscard]] std::string nameOfCall(const Plan* plan);

/// On this machine: the library. Empty: nothing.
[[nodiscard]] std::string whatPlanningLacks();

[[nodiscard]] bool isAlignedForPlan(const void* address);

/// Whether the windows over a padded map are those asked for: the library counts them itself.
[[nodiscard]] bool hasAllWindows(const Convolution& c);

/// What says how operands and the result of a pass lie.
[[nodiscard]] std::array<bool Convolution::*, 3> lyingOf(ConvolutionPass pass);

/// The choice with operands and a result that lie as `asked.of` says, an addend as the result does.
/// Whoever keeps the filters may be told that the library has them channels-last.
[[nodiscard]] ChoiceOrRefusal laidAs(const KernelRequest& request,
                                     const RequestedConvolution& asked, bool prefersChannelsLast,
                                     KernelChoice choice);

/// Exactly, all plain, or in TF32, all channels-last. Where the library has no such plan for the
/// chip that it runs on, or an operand lies on an odd address, our own kernel computes the same;
/// the scratch does for both.
[[nodiscard]] ChoiceOrRefusal plannedConvolution(const KernelRequest& request,
                                                 RequestedConvolution asked, Precision precision);

/// In bf16: operands are kept as halves, maps channels-last, and so is what is made; gradients of
/// filters are f32, and so is what f32 is added to. Where the library has no plan, ours computes
/// exactly.
[[nodiscard]] ChoiceOrRefusal halvedConvolution(const KernelRequest& request,
                                                RequestedConvolution asked);

[[nodiscard]] std::map<Precision, KernelList> roundingKernels();

} // namespace weft::cuda
