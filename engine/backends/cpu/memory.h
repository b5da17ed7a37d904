// SPDX-License-Identifier: Apache-2.0
#pragma once
// Host memory of one device: mapped pages, huge ones if available, touched once by the allocating
// thread, so that steps cause no page faults.

#include "device/backend.h"

namespace weft::cpu {

/// Every buffer starts on a cache line.
inline constexpr std::size_t hostAlignment = 64;

/// Throws Error{memory} if the machine has too little memory.
[[nodiscard]] std::unique_ptr<Arena> mapArena(Bytes size);

} // namespace weft::cpu
