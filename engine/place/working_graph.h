// SPDX-License-Identifier: Apache-2.0
#pragma once
// The graph of a plan while it is made: the given one until something is expanded, then a copy that
// grows node by node. Values keep their ids. Of an earlier one, what is taken over is moved.

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
    /// Where the next node and the next value added to those given will stand.
    [[nodiscard]] NodeId nextNode() const { return {count_}; }
    [[nodiscard]] std::size_t values() const { return get().values.size(); }
    [[nodiscard]] bool follows() const { return last_ != nullptr; }

    /// Takes the values of an earlier graph where they are the same, and keeps its nodes and what
    /// was added to it for `take`. `now`: by value of the graph given then. What it says of slots
    /// and results is not kept up: it serves to look up nodes and values.
    void follow(WorkingGraph& last, std::vector<ValueId>& now) {
        if (!last.own_) {
            return;
        }
        own_ = std::make_shared<Graph>();
        own_->name = given_->name;
        own_->layerNames = given_->layerNames;
        own_->nodes.reserve(last.own_->nodes.size() + 64);
        std::vector<Value>& values = own_->values;
        values.reserve(last.own_->values.size() + 64);
        values.resize(given_->values.size());
        std::vector<bool> isTaken(values.size(), false);
        for (std::size_t k = 0; k < now.size(); ++k) {
            if (!now[k].isNone()) {
                isTaken[now[k].value] = true;
                values[now[k].value] = std::move(last.own_->values[k]);
            }
        }
        for (std::size_t k = 0; k < values.size(); ++k) {
            if (!isTaken[k]) {
                values[k] = given_->values[k];
            }
        }
        now.resize(last.own_->values.size());
        last_ = std::move(last.own_);
    }
    /// The nodes [first, end) of the earlier graph, with the values [value, endValue) added by
    /// them.
    void take(std::uint32_t first, std::uint32_t end, std::uint32_t value, std::uint32_t endValue,
              std::vector<ValueId>& now) {
        for (; value < endValue; ++value) {
            now[value] = {static_cast<std::uint32_t>(own_->values.size())};
            own_->values.push_back(std::move(last_->values[value]));
        }
        for (; first < end; ++first) {
            Node& node = own_->nodes.emplace_back(std::move(last_->nodes[first]));
            for (ValueId& input : node.inputs) {
                input = now[input.value];
            }
            for (std::uint32_t k = 0; k < node.outputs.size(); ++k) {
                node.outputs[k] = now[node.outputs[k].value];
                own_->at(node.outputs[k]).producer = {count_};
                own_->at(node.outputs[k]).output = k;
            }
            ++count_;
        }
    }

    /// With the nodes appended so far.
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
    std::shared_ptr<Graph> last_; ///< an earlier one, while it is taken over
    std::uint32_t count_ = 0;
};

} // namespace weft
