// SPDX-License-Identifier: Apache-2.0
#pragma once
// Combines the previews of the kinds of steps of a sync period: times, operations and sent bytes
// are means over the steps; timeline and memory are those of the kind that takes longest.

#include <weft/preview.h>

#include <cstdint>
#include <string>
#include <vector>

namespace weft {

struct PeriodPart {
    const Preview* preview = nullptr; ///< preview of one kind of step
    std::string name = {};            ///< kind of step: "train accumulate"
    std::int64_t count = 1;           ///< steps in a period
};

/// Returns the mean of the parts. The first part gives the layers' placements. A single part is
/// returned unchanged.
[[nodiscard]] Preview meanOver(std::vector<PeriodPart> parts);

} // namespace weft
