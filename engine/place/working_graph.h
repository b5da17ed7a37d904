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
    explicit WorkingGraph(std::shared_ptr<const Graph> given) : original_(std::move(given)) {}

    [[nodiscard]] const Graph& get() const { return copy_ ? *copy_ : *original_; }
    /// Appends the next node of the plan's graph: a copy of the given graph's node, or a new one.
    NodeId append(const Node& node) {
        const NodeId id{count_++};
        if (copy_) {
            for (std::uint32_t k = 0; k < node.outputs.size(); ++k) {
                copy_->at(node.outputs[k]).producer = id;
                copy_->at(node.outputs[k]).output = k;
            }
            copy_->nodes.push_back(node);
        }
        return id;
    }
    /// Returns the copy, with the nodes appended so far.
    Graph& editableCopy() {
        if (!copy_) {
            copy_ = std::make_shared<Graph>();
            copy_->name = original_->name;
            copy_->values.reserve(original_->values.size() + original_->values.size() / 2);
            copy_->values = original_->values;
            copy_->nodes.reserve(original_->nodes.size() + original_->nodes.size() / 2);
            copy_->nodes.assign(original_->nodes.begin(),
                                original_->nodes.begin() + static_cast<std::ptrdiff_t>(count_));
            copy_->slots = original_->slots;
            copy_->feeds = original_->feeds;
            copy_->results = original_->results;
            copy_->gradients = original_->gradients;
            copy_->counts = original_->counts;
            copy_->layerNames = original_->layerNames;
            copy_->bodyInputs = original_->bodyInputs;
            copy_->bodyOutputs = original_->bodyOutputs;
        }
        return *copy_;
    }
    [[nodiscard]] std::shared_ptr<const Graph> share() const { return copy_ ? copy_ : original_; }

private:
    std::shared_ptr<const Graph> original_; ///< the given graph
    std::shared_ptr<Graph> copy_;           ///< nullptr: nothing was expanded yet
    std::uint32_t count_ = 0;               ///< number of appended nodes
};

} // namespace weft
