// SPDX-License-Identifier: Apache-2.0
#pragma once
// Computes the bytes that a change of placement sends: those of the member that sends most, since
// all members wait for it. Equal changes of equal types are computed once.

#include "place/plan.h"

#include <map>
#include <span>
#include <vector>

namespace weft {

class MostSentBytes {
public:
    /// Returns the largest number of bytes that a member of the collective sends. The change must
    /// not be local.
    [[nodiscard]] Bytes bytesOf(const Plan& plan, const PlanNode& node,
                                std::span<const DeviceId> members);

private:
    /// bytes by device, for each kind, types and shardings
    std::map<std::vector<std::uint32_t>, std::vector<std::int64_t>> sentByKey_;
    std::vector<std::int64_t> sentWithoutKey_;
};

/// Returns a key for equal changes of placement: the kind, and type and shardings of each value.
[[nodiscard]] std::vector<std::uint32_t> numbersOf(const Plan& plan, const PlanNode& node);
/// False if some of the numbers are unknown, so that other changes may have the same key.
[[nodiscard]] bool areKnown(std::span<const std::uint32_t> numbers);

} // namespace weft
