// SPDX-License-Identifier: Apache-2.0
#include "transform/id_ranges.h"

#include "graph/op.h"

#include <algorithm>

namespace weft {

namespace {

/// Returns the number of valid ids of the node's operand k; 0: the operand holds no ids.
std::int64_t countOf(const Graph& graph, const Node& node, std::size_t k) {
    if (node.op->name == "embedding" && k == 0) {
        return graph.at(node.inputs[1]).shape[0];
    }
    const bool readsClasses = node.op->name == "softmax_cross_entropy" || node.op->name == "pick";
    return readsClasses && k == 1 ? graph.at(node.inputs[0]).shape.back() : 0;
}

} // namespace

std::vector<IdRange> idRanges(const Graph& graph) {
    std::vector<IdRange> ranges;
    for (std::size_t f = 0; f < graph.feeds.size(); ++f) {
        const Feed& feed = graph.feeds[f];
        if (feed.kind != FeedKind::data || isFloating(graph.at(feed.value).dtype)) {
            continue;
        }
        for (const Node& node : graph.nodes) {
            for (std::size_t k = 0; k < node.inputs.size(); ++k) {
                const std::int64_t count =
                    node.inputs[k] == feed.value ? countOf(graph, node, k) : 0;
                if (count > 0) {
                    const bool ignores = node.attributes.has("ignore");
                    ranges.push_back(
                        {f, node.origin, count, ignores ? node.attributes.integer("ignore") : 0});
                }
            }
        }
    }
    return ranges;
}

} // namespace weft
