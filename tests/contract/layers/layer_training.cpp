// SPDX-License-Identifier: Apache-2.0
#include "contract/layers/layer_training.h"

#include "support/evaluate.h"
#include "transform/differentiate.h"
#include "transform/optimize_step.h"

namespace weft::test {

namespace {

/// sum over the outputs of output * pull, the pull being fed.
ValueId pulledLoss(Builder& builder, const Alone& alone) {
    std::vector<ValueId> terms;
    for (const auto& [port, value] : alone.outputs) {
        if (!isFloating(builder.dtype(value))) {
            continue;
        }
        const ValueId pull =
            builder.addFeed("pull " + port, FeedKind::data, DType::f32, builder.shape(value));
        terms.push_back(builder.add("sum_all", {builder.add("multiply", {value, pull})}));
    }
    if (terms.empty()) {
        return {};
    }
    return terms.size() == 1 ? terms.front() : builder.add("add", terms);
}

} // namespace

std::vector<LayerTraining> layerTrainings(const Lowerings& lowerings) {
    std::vector<LayerTraining> trainings;
    for (const LayerKind* kind : lowerings.layers().all()) {
        for (std::size_t k = 0; k < kind->samples.size(); ++k) {
            Alone alone = lowerings.lower(*kind, kind->samples[k], Mode::train);
            Graph graph = std::move(alone.graph);
            Builder builder(graph, lowerings.ops());
            const Origin loss{LayerId{2}, 0};
            graph.layerNames[loss] = "pull";
            graph.results.clear();
            builder.setOrigin(loss);
            const ValueId total = pulledLoss(builder, alone);
            LayerTraining training{.name = kind->info.kind + " " + std::to_string(k + 1),
                                   .graph = {}};
            if (!total.isNone()) {
                graph.results.push_back({"loss", ResultKind::total, total, loss});
                differentiate(graph, lowerings.ops(), total);
                TrainingSettings settings;
                settings.optimizerAttributes.set("momentum", 0.9);
                appendUpdate(graph, lowerings.ops(), allOptimizers(), settings);
                training.graph = std::make_shared<const Graph>(std::move(graph));
            }
            trainings.push_back(std::move(training));
        }
    }
    return trainings;
}

} // namespace weft::test
