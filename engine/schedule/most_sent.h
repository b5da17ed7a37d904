// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a change of placement sends: the bytes of the member that sends most, by which all of a
// meeting are held up. Values of one type that change alike are looked at once.

#include "place/plan.h"

#include <map>
#include <span>
#include <vector>

namespace weft {

class MostSent {
public:
    /// Largest number of bytes sent by a member of the collective, which is not local.
    [[nodiscard]] Bytes of(const Plan& plan, const PlanNode& node,
                           std::span<const DeviceId> members);

private:
    /// By device; by kind, types and shardings.
    std::map<std::vector<std::uint32_t>, std::vector<std::int64_t>> known_;
    std::vector<std::int64_t> unnumbered_;
};

/// By which equal changes of placement are known: the kind, and type and shardings of each value.
[[nodiscard]] std::vector<std::uint32_t> numbersOf(const Plan& plan, const PlanNode& node);
/// False: some of them are not known, so that others may have the same.
[[nodiscard]] bool areKnown(std::span<const std::uint32_t> numbers);

} // namespace weft
