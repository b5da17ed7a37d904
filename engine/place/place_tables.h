// SPDX-License-Identifier: Apache-2.0
#pragma once
// What placing works out of ops, shapes and devices, and of no design: rules, choices, changes with
// their prices. Kept from one placing to the next of the same ops, devices and machine.

#include "place/choose.h"
#include "place/place.h"

#include <unordered_map>
#include <vector>

namespace weft {

struct PlaceTables {
    explicit PlaceTables(const LinkSheet& link) : shardings(link), chooser(shardings) {}

    /// Op nodes of equal kind and choice compute the same on the same parts.
    [[nodiscard]] std::uint32_t alike(std::uint32_t kind, const Choice& choice) {
        const auto next = static_cast<std::uint32_t>(alikes.size());
        return alikes.try_emplace(std::uint64_t{kind} << 32U | choice.number, next).first->second;
    }

    Shardings shardings;
    RuleBook book;
    Chooser chooser;
    ByNumbers<std::shared_ptr<const std::vector<LegalWord>>> legal; ///< by rules
    std::unordered_map<std::uint64_t, std::uint32_t> alikes;
};

} // namespace weft
