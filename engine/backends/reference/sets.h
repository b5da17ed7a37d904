// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where in weights of several sets [batch, positions..., ...] the set of an element and position
// begins; steps are 0 over what a set is shared by.

#include <weft/attributes.h>

#include <cstdint>

namespace weft::reference {

struct SetSharing {
    bool perElement = false;
    bool perPosition = false;

    explicit SetSharing(const Attributes& attributes)
        : perElement(attributes.has("per_element") && attributes.boolean("per_element")),
          perPosition(attributes.has("per_position") && attributes.boolean("per_position")) {}
};

/// Positions are counted through all their dims.
struct SetSteps {
    std::int64_t element, position;

    SetSteps(const SetSharing& sharing, std::int64_t positions, std::int64_t numbersOfASet)
        : element(sharing.perElement ? numbersOfASet * (sharing.perPosition ? positions : 1) : 0),
          position(sharing.perPosition ? numbersOfASet : 0) {}

    [[nodiscard]] std::int64_t at(std::int64_t elementIndex, std::int64_t positionIndex) const {
        return elementIndex * element + positionIndex * position;
    }
};

} // namespace weft::reference
