// SPDX-License-Identifier: Apache-2.0
#include "device/published_links.h"

#include <weft/error.h>

#include <array>
#include <cstddef>
#include <string>

namespace weft {

namespace {

/// Fraction of the published rate that large copies achieve; the rate includes framing.
constexpr double usualShare = 0.75;
constexpr double giga = 1e9;
/// Time to enqueue a copy of a few bytes and to see its end.
constexpr Nanoseconds throughTheBus{8000};
constexpr Nanoseconds fromChipToChip{5000};

/// `stated`: one-way rates in GB/s by generation, from the first.
template <std::size_t Count>
LinkSheet published(const char* name, int generation, const std::array<double, Count>& stated,
                    Nanoseconds latency) {
    ensure(generation >= 1 && static_cast<std::size_t>(generation) <= Count,
           "the generation of a link is known");
    LinkSheet link;
    link.name = name + std::to_string(generation);
    link.latency = latency;
    link.bytesPerSecond = usualShare * giga * stated.at(static_cast<std::size_t>(generation - 1));
    return link;
}

} // namespace

LinkSheet pcieLink(int generation) {
    return published("PCIe ", generation, std::array<double, 5>{4, 8, 16, 32, 64}, throughTheBus);
}

LinkSheet nvLink(int generation) {
    return published("NVLink ", generation, std::array<double, 5>{80, 150, 300, 450, 900},
                     fromChipToChip);
}

} // namespace weft
