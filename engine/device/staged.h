// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs a host kernel for a device whose memory the host cannot access: copies the operands out,
// runs the kernel and copies the results back, in stream order. The host copies lie in pinned
// memory from the caller (`KernelArguments::staging`), because a copy from pageable memory would be
// read before the kernel has run. Kernels in one stream may share that memory.

#include "device/kernel.h"

namespace weft {

/// Wraps the host's choice as one of the device. Each kernel must get the same staging memory on
/// every run.
[[nodiscard]] KernelChoice staged(KernelChoice host, const KernelRequest& request);

} // namespace weft
