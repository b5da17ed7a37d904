// SPDX-License-Identifier: Apache-2.0
#pragma once
// Previews of the kinds of steps that a period has, made one: times, arithmetic and what is sent
// are means over its steps; the timeline and the memory are those of the kind that takes longest.

#include <weft/preview.h>

#include <cstdint>
#include <string>
#include <vector>

namespace weft {

struct PeriodPart {
    const Preview* preview = nullptr;
    std::string name = {};
    std::int64_t count = 1; ///< steps of a period
};

/// The first says how layers lie. Of one part it is that.
[[nodiscard]] Preview meanOver(std::vector<PeriodPart> parts);

} // namespace weft
