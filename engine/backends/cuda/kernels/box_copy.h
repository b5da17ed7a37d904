// SPDX-License-Identifier: Apache-2.0
#pragma once
// Copies and fills boxes of elements of 1, 2, 4 or 8 bytes.

#include "backends/cuda/kernels/stream_handle.h"
#include "device/box_copy.h"

#include <cstdint>

namespace weft::cuda {

/// Addresses are those of the box's first element on either side.
void launchBoxCopy(const BoxCopy& copy, std::size_t elementSize, const void* from, void* to,
                   StreamHandle stream);
/// Sets n elements to these bits.
void launchFill(std::uint64_t bits, std::size_t elementSize, void* y, std::int64_t n,
                StreamHandle stream);

} // namespace weft::cuda
