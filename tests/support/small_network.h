// SPDX-License-Identifier: Apache-2.0
#pragma once
// Networks for tests, built from ops directly: each call is one layer with a name and
// an origin of its own. A plan of one is right when, run on simulated devices, it gives what the
// graph gives on one.

#include "graph/builder.h"
#include "place/place.h"
#include "support/evaluate.h"
#include <weft/design.h>

#include <string>

namespace weft::test {

class SmallNetwork {
public:
    SmallNetwork();

    ValueId input(const std::string& name, Shape shape, DType dtype = DType::f32);
    ValueId dense(const std::string& name, ValueId x, std::int64_t units, bool bias = true);
    /// x plus a parameter per index of that dim: what makes a gradient flow through what follows.
    ValueId shift(const std::string& name, ValueId x, std::int64_t dim = -1);
    ValueId convolution(const std::string& name, ValueId x, std::int64_t channels,
                        std::int64_t groups = 1);
    ValueId batchNorm(const std::string& name, ValueId x);
    ValueId layerNorm(const std::string& name, ValueId x);
    ValueId embedding(const std::string& name, ValueId ids, std::int64_t rows, std::int64_t units);
    ValueId attention(const std::string& name, ValueId x, std::int64_t heads);
    /// Softmax cross-entropy, averaged; the result "loss".
    ValueId loss(const std::string& name, ValueId logits, ValueId target);
    /// The mean of all elements as loss, for networks without targets.
    ValueId meanLoss(const std::string& name, ValueId x);
    /// One op without attributes or parameters.
    ValueId op(const std::string& name, const std::string& op, std::vector<ValueId> inputs,
               Attributes attributes = {});
    void accuracy(const std::string& name, ValueId logits, ValueId target);

    /// Appends backward and update.
    void train(ValueId loss, double clipNorm = 0, const std::string& optimizer = "sgd");
    void train(ValueId loss, const TrainingSettings& training);

    [[nodiscard]] const Graph& graph() const { return graph_; }
    [[nodiscard]] Graph& graph() { return graph_; }
    [[nodiscard]] const OpList& ops() const { return ops_; }
    [[nodiscard]] Origin origin(const std::string& name) const;
    /// `data`, or "data on cpu:0 cpu:1", or "data model.stack on cpu:0 cpu:1 cpu:2 cpu:3 as 2x2".
    [[nodiscard]] static Assignment assignment(const std::string& text);
    /// A request for that many devices with assignments by layer name; "" is the fallback.
    [[nodiscard]] PlacementRequest
    request(std::size_t devices, const std::map<std::string, std::string>& assignments) const;

private:
    void begin(const std::string& name);
    ValueId parameter(const std::string& name, Shape shape);

    OpList ops_;
    Graph graph_;
    Builder builder_;
    std::string layer_;
    std::map<std::string, Origin> origins_;
};

/// Feeds and slots of the graph, drawn by name.
[[nodiscard]] std::map<ValueId, Tensor> drawGiven(const Graph& graph, std::int64_t integersBelow);

/// The home of the slot of that name; `slots` itself is a word of Qt where tests are compiled.
[[nodiscard]] SlotHome& slotOf(Plan& plan, const std::string& name);

/// The largest difference, over all results and written slots, between the plan run on simulated
/// devices and the graph evaluated whole; relative to the largest number of each. Verifies the plan
/// first.
[[nodiscard]] double differenceOf(const SmallNetwork& network, const Plan& plan,
                                  std::int64_t integersBelow = 3);

} // namespace weft::test
