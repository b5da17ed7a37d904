// SPDX-License-Identifier: Apache-2.0
#include "front/preview/collective_rows.h"

#include "graph/repeat.h"

namespace weft {

namespace {

std::int64_t roundsOf(const Plan& plan, const PlanNode& repeat) {
    return repeatForm(plan.graph->at(repeat.node)).count;
}

bool isRow(const PlanNode& node) { return node.node.isNone() && !isLocal(node.collective); }

void addRows(const Plan& plan, std::int64_t rounds, std::vector<CollectiveRow>& rows) {
    for (std::uint32_t n = 0; n < plan.nodes.size(); ++n) {
        const PlanNode& node = plan.nodes[n];
        if (node.body) {
            addRows(*node.body, rounds * roundsOf(plan, node), rows);
        } else if (isRow(node)) {
            rows.push_back({&plan, {n}, rounds});
        }
    }
}

/// Appends the rows of the plan's collectives to `order`; rows of a body once per iteration.
void lay(const Plan& plan, std::size_t first, std::vector<std::size_t>& order) {
    std::size_t next = first;
    for (const PlanNode& node : plan.nodes) {
        if (node.body) {
            std::vector<CollectiveRow> inside;
            addRows(*node.body, 1, inside);
            for (std::int64_t k = inside.empty() ? 0 : roundsOf(plan, node); k > 0; --k) {
                lay(*node.body, next, order);
            }
            next += inside.size();
        } else if (isRow(node)) {
            order.push_back(next++);
        }
    }
}

} // namespace

std::vector<CollectiveRow> collectiveRows(const Plan& plan) {
    std::vector<CollectiveRow> rows;
    addRows(plan, 1, rows);
    return rows;
}

std::vector<std::size_t> rowsInUnrolledOrder(const Plan& plan) {
    std::vector<std::size_t> order;
    lay(plan, 0, order);
    return order;
}

} // namespace weft
