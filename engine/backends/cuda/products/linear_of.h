// SPDX-License-Identifier: Apache-2.0
#pragma once
// The products of a linear op and its gradients: y = x w^T, dx = dy w, dw = dy^T x, with w [o, i]
// and all leading dims of x and y as rows. The operands are the first two of the request.

#include "backends/cuda/products/product.h"
#include "backends/cuda/request.h"

namespace weft::cuda {

using ProductOf = MatrixProduct (*)(const KernelRequest& request);

[[nodiscard]] MatrixProduct productOfY(const KernelRequest& request);
[[nodiscard]] MatrixProduct productOfDx(const KernelRequest& request);
[[nodiscard]] MatrixProduct productOfDw(const KernelRequest& request);

} // namespace weft::cuda
