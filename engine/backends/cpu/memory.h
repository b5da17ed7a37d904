// SPDX-License-Identifier: Apache-2.0
#pragma once
// Host memory of one device: mapped pages, huge ones where the system has them, touched once by the
// thread that asks, so that a step never meets a fresh page.

#include "device/backend.h"

namespace weft::cpu {

/// Every buffer starts on a cache line.
inline constexpr std::size_t hostAlignment = 64;

/// Error{memory} when the machine has not that much to give.
[[nodiscard]] std::unique_ptr<Arena> mapArena(Bytes size);

} // namespace weft::cpu
