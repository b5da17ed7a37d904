// SPDX-License-Identifier: Apache-2.0
#pragma once
// The roles that a graph gives to its values: slot, next value of a slot, feed, operand of another
// layer, gradient.

#include "graph/graph.h"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace weft {

class ValueRoles {
public:
    struct Role {
        SlotId slot = {};                       ///< the slot whose value it is
        SlotId becomes = {};                    ///< the slot whose next value it is
        std::optional<std::uint32_t> feed = {}; ///< index of the graph's feed that it is
        NodeId consumer = {};    ///< the first consumer in another layer, in the forward pass
        std::size_t operand = 0; ///< index among that consumer's operands
        bool isData = false;     ///< depends on examples; assignments apply only to such values
    };

    void fill(const Graph& graph); ///< finds the roles of all values

    [[nodiscard]] const Role& of(ValueId value) const {
        static constexpr Role none;
        return value.value < roles_.size() ? roles_[value.value] : none;
    }
    [[nodiscard]] bool isData(ValueId value) const { return of(value).isData; }
    void setData(ValueId value, bool isData);
    /// Returns the forward values with this total gradient.
    [[nodiscard]] std::span<const ValueId> forwardOf(ValueId gradient) const;

private:
    void findConsumers(const Graph& graph);
    void findGradients(const Graph& graph);

    std::vector<Role> roles_;              ///< indexed by ValueId
    std::vector<std::uint32_t> forwardAt_; ///< by gradient: index of its first value in forward_
    std::vector<ValueId> forward_;         ///< forward values, by gradient
};

} // namespace weft
