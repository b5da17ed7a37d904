// SPDX-License-Identifier: Apache-2.0
#pragma once
// What an op of a plan costs each member of its mesh, from data sheets.

#include "front/fold_preview.h"

namespace weft {

/// What the member of the mesh holds of a placed value.
[[nodiscard]] Bytes bytesHeld(const Plan& plan, PlacedId id, std::size_t member);

[[nodiscard]] OpPrice priceOf(const Plan& plan, const PlanNode& planned,
                              const std::vector<DeviceSheet>& sheets);

} // namespace weft
