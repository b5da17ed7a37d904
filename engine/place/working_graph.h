// SPDX-License-Identifier: Apache-2.0
#pragma once
// The graph of a plan under construction: the given graph until something is expanded, then a copy
// that grows node by node. Values keep their ids.

#include "graph/graph.h"

#include <memory>
#include <utility>

namespace weft {

class WorkingGraph {
public:
    explicit WorkingGraph(std::shared_ptr<const Graph> given) : given_(std::move(given)) {}

    [[nodiscard]] const Graph& get() const { return own_ ? *own_ : *given_; }
    /// Appends the next node of the plan's graph: a copy of the given graph's node, or a new one.
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
    /// Returns the copy, with the nodes appended so far.
    Graph& own() {
        if (!own_) {
            own_ = std::make_shared<Graph>();
            own_->name = given_->name;
            own_->values.reserve(given_->values.size() + given_->values.size() / 2);
            own_->values = given_->values;
            own_->nodes.reserve(given_->nodes.size() + given_->nodes.size() / 2);
            own_->nodes.assign(given_->nodes.begin(),
                               given_->nodes.begin() + static_cast<std::ptrdiff_t>(count_));
            own_->slots = given_->slots;
            own_->feeds = given_->feeds;
            own_->results = given_->results;
            own_->gradients = given_->gradients;
            own_->counts = given_->counts;
            own_->layerNames = given_->layerNames;
            own_->bodyInputs = given_->bodyInputs;
            own_->bodyOutputs = given_->bodyOutputs;
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
