// SPDX-License-Identifier: Apache-2.0
#pragma once
// The convolution that a request asks for.

#include "backends/cuda/convolution.h"
#include "device/kernel.h"

#include <optional>

namespace weft::cuda {

/// x and y [b, c, h, w]; of w, or its gradient, the last four dims are those of one set. None when
/// the part of x begins otherwise than the windows need.
[[nodiscard]] std::optional<Convolution> convolutionOf(const Attributes& attributes,
                                                       const TensorPart& x, const TensorPart& w,
                                                       const TensorPart& y);

} // namespace weft::cuda
