// SPDX-License-Identifier: Apache-2.0
#pragma once
// The products that a linear op and its gradients are: y = x w^T, dx = dy w, dw = dy^T x, with w
// [o, i] and all leading dims of x and y as rows. The operands of each are its request's first two.

#include "backends/cuda/product.h"
#include "backends/cuda/request.h"

namespace weft::cuda {

using ProductOf = MatrixProduct (*)(const KernelRequest& request);

[[nodiscard]] MatrixProduct productOfY(const KernelRequest& request);
[[nodiscard]] MatrixProduct productOfDx(const KernelRequest& request);
[[nodiscard]] MatrixProduct productOfDw(const KernelRequest& request);

} // namespace weft::cuda
