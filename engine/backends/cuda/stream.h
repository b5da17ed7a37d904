// SPDX-License-Identifier: Apache-2.0
#pragma once
// What functions that launch kernels take of a lane.

struct CUstream_st;

namespace weft::cuda {

using Stream = CUstream_st*;

} // namespace weft::cuda
