// SPDX-License-Identifier: Apache-2.0
#include "transform/drop_unread.h"

#include <algorithm>
#include <iterator>

namespace weft {

void dropUnread(Graph& graph, const std::vector<ValueId>& unwanted,
                const std::vector<ValueId>& wanted) {
    std::vector<bool> isUnwanted(graph.values.size(), false);
    std::vector<bool> isRead(graph.values.size(), false);
    const auto mark = [](std::vector<bool>& marks, ValueId value) {
        if (!value.isNone()) {
            marks[value.value] = true;
        }
    };
    std::ranges::for_each(unwanted, [&](ValueId value) { mark(isUnwanted, value); });
    std::ranges::for_each(wanted, [&](ValueId value) { mark(isRead, value); });
    for (const Result& result : graph.results) {
        mark(isRead, result.value);
    }
    for (const Slot& slot : graph.slots) {
        mark(isRead, slot.next);
    }
    std::vector<Node> kept;
    for (std::size_t n = graph.nodes.size(); n-- > 0;) {
        Node& node = graph.nodes[n];
        const auto is = [&](const std::vector<bool>& marks) {
            return std::ranges::any_of(node.outputs,
                                       [&](ValueId output) { return marks[output.value]; });
        };
        const bool goes = is(isUnwanted) && !is(isRead);
        for (const ValueId input : node.inputs) {
            mark(goes ? isUnwanted : isRead, input);
        }
        if (goes) {
            for (const ValueId output : node.outputs) {
                graph.at(output).producer = {};
            }
        } else {
            kept.push_back(std::move(node));
        }
    }
    graph.nodes.assign(std::make_move_iterator(kept.rbegin()),
                       std::make_move_iterator(kept.rend()));
    for (std::uint32_t n = 0; n < graph.nodes.size(); ++n) {
        for (const ValueId output : graph.nodes[n].outputs) {
            graph.at(output).producer = {n};
        }
    }
}

} // namespace weft
