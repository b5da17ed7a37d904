// SPDX-License-Identifier: Apache-2.0
#pragma once
// A kernel of the host for a device whose memory the host may not touch: operands go out, the
// kernel runs, results come back, in the order of the lane. With it a device can do all that the
// reference can.

#include "device/kernel.h"

namespace weft {

/// The host's choice for that request as one of the device's.
[[nodiscard]] KernelChoice staged(KernelChoice host, const KernelRequest& request);

} // namespace weft
