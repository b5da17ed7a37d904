// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a graph says of its values.

#include "graph/graph.h"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace weft {

class ValueRoles {
public:
    struct Role {
        SlotId slot = {};    ///< whose value it is
        SlotId becomes = {}; ///< the slot it is kept in
        std::optional<std::uint32_t> feed = {};
        NodeId consumer = {}; ///< the first of another layer, where it is read forward
        std::size_t operand = 0;
        bool isData = false; ///< examples have gone into it: words speak of no other
    };

    void fill(const Graph& graph);

    [[nodiscard]] const Role& of(ValueId value) const {
        static constexpr Role none;
        return value.value < roles_.size() ? roles_[value.value] : none;
    }
    [[nodiscard]] bool isData(ValueId value) const { return of(value).isData; }
    void setData(ValueId value, bool isData);
    /// The forward values whose total gradient it is.
    [[nodiscard]] std::span<const ValueId> forwardOf(ValueId gradient) const;

private:
    void findConsumers(const Graph& graph);
    void findGradients(const Graph& graph);

    std::vector<Role> roles_;
    std::vector<std::uint32_t> forwardAt_; ///< by gradient: where its values begin
    std::vector<ValueId> forward_;
};

} // namespace weft
