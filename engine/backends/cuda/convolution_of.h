// SPDX-License-Identifier: Apache-2.0
#pragma once
// The convolution that a request asks for.

#include "backends/cuda/product.h"
#include "device/epilogue.h"

#include <functional>
#include <optional>
#include <string>

namespace weft::cuda {

/// x and y [b, c, h, w]; of w, or its gradient, the last four dims are those of one set. None when
/// the part of x begins otherwise than the windows need.
[[nodiscard]] std::optional<Convolution> convolutionOf(const Attributes& attributes,
                                                       const TensorPart& x, const TensorPart& w,
                                                       const TensorPart& y);

/// What makers of conv2d and its gradients are asked for.
struct RequestedConvolution {
    Convolution of;
    ConvolutionPass pass = ConvolutionPass::forward;
    Epilogue epilogue = {};
    std::size_t first = 0, second = 1; ///< which operands are those of launchConvolution
};
/// Adds a maker for each pass, and for each chain that may follow the first; see KernelMaker::lacks
/// and takesHalves.
void addConvolutions(
    KernelList& list, const std::string& implementation,
    const std::function<ChoiceOrRefusal(const KernelRequest&, const RequestedConvolution&)>& choose,
    const std::function<std::string()>& lacks = {}, bool takesHalves = false);

} // namespace weft::cuda
