// SPDX-License-Identifier: Apache-2.0
#pragma once
// The graph of a plan while it is made: the given one until something is expanded, then a copy that
// grows node by node. Values keep their ids.

#include "graph/graph.h"

#include <memory>

namespace weft {

class WorkingGraph {
public:
    explicit WorkingGraph(std::shared_ptr<const Graph> given) : given_(std::move(given)) {}

    [[nodiscard]] const Graph& get() const { return own_ ? *own_ : *given_; }
    /// The next node of the plan's graph, which is a copy of the given one's or new.
    NodeId append(const Node& node) {
        const NodeId id{count_++};
        if (own_) {
            for (std::uint32_t k = 0; k < node.outputs.size(); ++k) {
                own_->at(node.outputs[k]).producer = id;
                own_->at(node.outputs[k]).output = k;
            }
            own_->nodes.push_back(node);
        }
        return id;
    }
    /// With the nodes appended so far.
    Graph& own() {
        if (!own_) {
            own_ = std::make_shared<Graph>(*given_);
            own_->nodes.resize(count_);
        }
        return *own_;
    }
    [[nodiscard]] std::shared_ptr<const Graph> share() const { return own_ ? own_ : given_; }

private:
    std::shared_ptr<const Graph> given_;
    std::shared_ptr<Graph> own_;
    std::uint32_t count_ = 0;
};

} // namespace weft
