// SPDX-License-Identifier: Apache-2.0
#include "support/evaluate.h"

#include "example/example.h"
#include "graph/repeat.h"
#include "ops/ops.h"
#include "optimizers/optimizers.h"
#include <weft/error.h>

namespace weft::test {

namespace {

class Evaluation {
public:
    Evaluation(const Graph& graph, Oracle& oracle, const EvaluateOptions& options)
        : graph_(graph), oracle_(oracle), options_(options) {}

    std::map<ValueId, Tensor> run(const std::map<ValueId, Tensor>& given) {
        for (const auto& [id, tensor] : given) {
            values_[id] = tensor.as(typeOf(id));
        }
        for (const Feed& feed : graph_.feeds) {
            if (!values_.contains(feed.value)) {
                values_[feed.value] = drawn(feed);
            }
        }
        for (const Slot& slot : graph_.slots) {
            if (!values_.contains(slot.value)) {
                values_[slot.value] =
                    drawNormal(typeOf(slot.value), slot.shape, options_.seed, slot.name);
            }
        }
        for (const Node& node : graph_.nodes) {
            compute(node);
        }
        return std::move(values_);
    }

private:
    [[nodiscard]] DType typeOf(ValueId id) const {
        const DType dtype = graph_.at(id).dtype;
        return isFloating(dtype) ? options_.precision : dtype;
    }

    [[nodiscard]] Tensor drawn(const Feed& feed) const {
        const DType dtype = typeOf(feed.value);
        const Shape& shape = graph_.at(feed.value).shape;
        if (feed.kind == FeedKind::argument) {
            return {dtype, shape,
                    std::vector<double>(static_cast<std::size_t>(elementsOf(shape)), 1)};
        }
        return isFloating(dtype)
                   ? drawNormal(dtype, shape, options_.seed, feed.name)
                   : drawIntegers(dtype, shape, options_.integersBelow, options_.seed, feed.name);
    }

    [[nodiscard]] std::vector<Tensor> inputsOf(const Node& node) const {
        std::vector<Tensor> inputs;
        inputs.reserve(node.inputs.size());
        for (const ValueId input : node.inputs) {
            inputs.push_back(values_.at(input));
        }
        return inputs;
    }

    void compute(const Node& node) {
        if (node.body) {
            repeat(node);
            return;
        }
        const std::vector<Tensor> inputs = inputsOf(node);
        std::vector<TensorType> outputs;
        outputs.reserve(node.outputs.size());
        for (const ValueId output : node.outputs) {
            outputs.push_back({typeOf(output), graph_.at(output).shape});
        }
        auto results = oracle_.run(node.op->name, node.attributes, inputs, outputs,
                                   {.randomKey = randomKeyOf(node, options_.seed)});
        for (std::size_t k = 0; k < results.size(); ++k) {
            values_[node.outputs[k]] = std::move(results[k]);
        }
    }

    /// Carried values go round the body, sliced ones a position at a time; captured ones stay.
    void repeat(const Node& node) {
        const RepeatForm form = repeatForm(node);
        std::vector<Tensor> inputs = inputsOf(node);
        for (std::size_t k = form.carried; k < node.outputs.size(); ++k) {
            const ValueId output = node.outputs[k];
            values_[output] = Tensor(typeOf(output), graph_.at(output).shape);
        }
        for (std::int64_t round = 0; round < form.count; ++round) {
            const std::int64_t position = form.position(round);
            std::map<ValueId, Tensor> given;
            for (std::size_t k = 0; k < inputs.size(); ++k) {
                const bool isSliced = k >= form.carried && k < form.carried + form.sliced;
                given[node.body->bodyInputs[k]] =
                    isSliced ? positionOf(inputs[k], position) : inputs[k];
            }
            const auto made = Evaluation(*node.body, oracle_, options_).run(given);
            for (std::size_t k = 0; k < node.outputs.size(); ++k) {
                const Tensor& result = made.at(node.body->bodyOutputs[k]);
                if (k < form.carried) {
                    inputs[k] = result;
                } else {
                    // A sum is added where it is, a collected result where its round belongs.
                    const bool isSum = k < form.carried + form.summed;
                    addInto(values_[node.outputs[k]], isSum ? 0 : position, result);
                }
            }
        }
        for (std::size_t k = 0; k < form.carried; ++k) {
            values_[node.outputs[k]] = inputs[k];
        }
    }

    static Tensor positionOf(const Tensor& whole, std::int64_t position) {
        Tensor one(whole.dtype, Shape(whole.shape.begin() + 1, whole.shape.end()));
        for (std::int64_t k = 0; k < one.elements(); ++k) {
            one.set(k, whole.at(position * one.elements() + k));
        }
        return one;
    }

    static void addInto(Tensor& whole, std::int64_t position, const Tensor& one) {
        for (std::int64_t k = 0; k < one.elements(); ++k) {
            const std::int64_t at = position * one.elements() + k;
            whole.set(at, whole.at(at) + one.at(k));
        }
    }

    const Graph& graph_;
    Oracle& oracle_;
    const EvaluateOptions& options_;
    std::map<ValueId, Tensor> values_;
};

} // namespace

OpList allOps() {
    OpList list;
    ops::fill(list);
    example::ops::fill(list);
    return list;
}

OptimizerList allOptimizers() {
    OptimizerList list;
    optimizers::fill(list);
    example::optimizers::fill(list);
    return list;
}

std::map<ValueId, Tensor> evaluate(const Graph& graph, Oracle& oracle,
                                   const std::map<ValueId, Tensor>& given,
                                   const EvaluateOptions& options) {
    return Evaluation(graph, oracle, options).run(given);
}

} // namespace weft::test
