// SPDX-License-Identifier: Apache-2.0
#pragma once
// Derives convolutions from kernel requests.

#include "backends/cuda/products/product.h"
#include "device/epilogue.h"

#include <functional>
#include <optional>
#include <string>

namespace weft::cuda {

/// x and y are [b, c, h, w]; the last four dims of w, or of its gradient, are those of one set.
/// Returns nothing if the local part of x has rows or columns before its first window.
[[nodiscard]] std::optional<Convolution> convolutionOf(const Attributes& attributes,
                                                       const TensorPart& x, const TensorPart& w,
                                                       const TensorPart& y);

/// A request of conv2d or one of its gradients.
struct RequestedConvolution {
    Convolution of; ///< its geometry
    ConvolutionPass pass = ConvolutionPass::forward;
    Epilogue epilogue = {};
    std::size_t first = 0, second = 1; ///< operand indices for launchConvolution
};
/// Adds a maker for each pass, and for each chain that may follow the first; see KernelMaker::lacks
/// and takesBf16.
void addConvolutions(
    KernelList& list, const std::string& implementation,
    const std::function<ChoiceOrRefusal(const KernelRequest&, const RequestedConvolution&)>& choose,
    const std::function<std::string()>& lacks = {}, bool takesBf16 = false);

} // namespace weft::cuda
