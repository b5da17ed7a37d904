// SPDX-License-Identifier: Apache-2.0
#pragma once
// Describes weights with several sets, [batch, positions..., ...]: what has its own set, and where
// each set begins.

#include <weft/attributes.h>

#include <cstdint>

namespace weft {

struct SetSharing {
    bool perElement = false;  ///< a set per batch element
    bool perPosition = false; ///< a set per position of the map

    SetSharing() = default;
    SetSharing(bool isPerElement, bool isPerPosition)
        : perElement(isPerElement), perPosition(isPerPosition) {}
    /// Reads the op's attributes. Ops without these attributes have one set for all.
    explicit SetSharing(const Attributes& attributes)
        : perElement(attributes.has("per_element") && attributes.boolean("per_element")),
          perPosition(attributes.has("per_position") && attributes.boolean("per_position")) {}

    [[nodiscard]] bool hasSeveralSets() const { return perElement || perPosition; }
};

/// Strides between sets, 0 along what shares a set. Positions are counted through all their dims.
struct SetStrides {
    std::int64_t element, position; ///< in numbers; 0: shared

    SetStrides(const SetSharing& sharing, std::int64_t positions, std::int64_t numbersOfASet)
        : element(sharing.perElement ? numbersOfASet * (sharing.perPosition ? positions : 1) : 0),
          position(sharing.perPosition ? numbersOfASet : 0) {}

    [[nodiscard]] std::int64_t offset(std::int64_t elementIndex, std::int64_t positionIndex) const {
        return elementIndex * element + positionIndex * position;
    }
};

} // namespace weft
