// SPDX-License-Identifier: Apache-2.0
#pragma once
// A kernel of the host for a device whose memory the host may not touch: operands go out, the
// kernel runs, results come back, in the order of the stream. With it a device can do all that the
// reference can. The host's copies lie in pinned memory that the caller gives
// (`KernelArguments::staging`): a copy from pageable memory would be read when it is enqueued,
// before the kernel has run. Kernels that follow one another in a stream may share that memory.

#include "device/kernel.h"

namespace weft {

/// The host's choice for that request as one of the device's. A kernel is given the same staging
/// memory each time.
[[nodiscard]] KernelChoice staged(KernelChoice host, const KernelRequest& request);

} // namespace weft
