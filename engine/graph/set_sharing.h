// SPDX-License-Identifier: Apache-2.0
#pragma once
// Weights of which an op takes more than one set, [batch, positions..., ...]: what a set is of, and
// where it begins.

#include <weft/attributes.h>

#include <cstdint>

namespace weft {

struct SetSharing {
    bool perElement = false;  ///< of the batch
    bool perPosition = false; ///< of the map

    SetSharing() = default;
    SetSharing(bool isPerElement, bool isPerPosition)
        : perElement(isPerElement), perPosition(isPerPosition) {}
    /// As an op's attributes say; of one that knows no sets all share one.
    explicit SetSharing(const Attributes& attributes)
        : perElement(attributes.has("per_element") && attributes.boolean("per_element")),
          perPosition(attributes.has("per_position") && attributes.boolean("per_position")) {}

    [[nodiscard]] bool areSeveral() const { return perElement || perPosition; }
};

/// Steps are 0 over what a set is shared by. Positions are counted through all their dims.
struct SetSteps {
    std::int64_t element, position;

    SetSteps(const SetSharing& sharing, std::int64_t positions, std::int64_t numbersOfASet)
        : element(sharing.perElement ? numbersOfASet * (sharing.perPosition ? positions : 1) : 0),
          position(sharing.perPosition ? numbersOfASet : 0) {}

    [[nodiscard]] std::int64_t at(std::int64_t elementIndex, std::int64_t positionIndex) const {
        return elementIndex * element + positionIndex * position;
    }
};

} // namespace weft
