// SPDX-License-Identifier: Apache-2.0
#pragma once
// What functions that launch kernels take of a stream.

struct CUstream_st;

namespace weft::cuda {

using StreamHandle = CUstream_st*;

} // namespace weft::cuda
