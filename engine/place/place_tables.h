// SPDX-License-Identifier: Apache-2.0
#pragma once
// Results of placement that depend only on ops, shapes and devices, not on the design: rules,
// choices, changes of placement with their prices. Reused for further placements with the same ops,
// devices and machine.

#include "place/choose.h"
#include "place/place.h"

#include <unordered_map>
#include <vector>

namespace weft {

struct PlaceTables { ///< results of placement that do not depend on the design
    explicit PlaceTables(const LinkSheet& link) : shardings(link), chooser(shardings) {}

    /// Returns a number. Op nodes of equal kind and choice have the same number: they compute the
    /// same on the same parts.
    [[nodiscard]] std::uint32_t computationNumber(std::uint32_t kind,
                                                  const PlacementChoice& choice) {
        const auto next = static_cast<std::uint32_t>(computationNumbers.size());
        return computationNumbers.try_emplace(std::uint64_t{kind} << 32U | choice.number, next)
            .first->second;
    }

    Shardings shardings;
    RuleBook ruleBook; ///< placement rules of ops, parsed
    PlacementChooser chooser;
    /// Legal words, keyed by the rules of a layer.
    ByNumbers<std::shared_ptr<const std::vector<LegalWord>>> legal; ///< keyed by a layer's rules
    std::unordered_map<std::uint64_t, std::uint32_t> computationNumbers; ///< by kind and choice
};

} // namespace weft
