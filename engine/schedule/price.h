// SPDX-License-Identifier: Apache-2.0
#pragma once
// Predicted times from the sheets' measured rates: the larger of arithmetic and memory for a
// kernel, latency and bytes for a collective. One rule for preview, schedule and simulation.

#include <weft/devices.h>
#include <weft/types.h>

#include <string>

namespace weft {

[[nodiscard]] Nanoseconds computeTime(const DeviceSheet& sheet, const std::string& op, Flops flops,
                                      Bytes traffic, double shareOfDevice = 1);
/// `messages`: rounds in which each member waits for a peer.
[[nodiscard]] Nanoseconds communicationTime(const LinkSheet& link, Bytes sent, int messages);

} // namespace weft
