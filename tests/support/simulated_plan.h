// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs a plan without programs, streams or communicators: every device's part in one thread, node
// by node, with the reference kernels in double; changes of placement by their blocks. What any
// executor of the plan must agree with.

#include "place/plan.h"
#include "support/evaluate.h"

#include <map>
#include <vector>

namespace weft::test {

/// Device-local parts of placed values; devices outside a value's mesh have none.
using PlacedTensors = std::map<std::pair<PlacedId, DeviceId>, Tensor>;

/// `given` are whole values of feeds and slots, as `evaluate` takes them; all must be there.
[[nodiscard]] PlacedTensors runPlan(const Plan& plan, Oracle& oracle,
                                    const std::map<ValueId, Tensor>& given, std::uint64_t seed = 1);

/// The whole value, put together from its parts; a failed invariant when devices that should hold
/// the same numbers differ by more than `tolerance`.
[[nodiscard]] Tensor wholeOf(const Plan& plan, const PlacedTensors& values, PlacedId id,
                             double tolerance = 1e-9);

} // namespace weft::test
