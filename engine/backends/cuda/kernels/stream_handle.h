// SPDX-License-Identifier: Apache-2.0
#pragma once
// The stream type of functions that launch kernels.

struct CUstream_st;

namespace weft::cuda {

using StreamHandle = CUstream_st*;

} // namespace weft::cuda
