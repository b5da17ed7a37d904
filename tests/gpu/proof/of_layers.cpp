// SPDX-License-Identifier: Apache-2.0
#include "contract/layers/layer_training.h"
#include "stages.h"

#include <fmt/format.h>

namespace weft::proof {

namespace {

using namespace test;

constexpr int steps = 3;
/// Three steps of f32 sums in other orders.
constexpr double tolerance = 2e-4;

void prove(Case& trial, const Proved& on, const OpList& ops, const LayerTraining& training) {
    const auto trained = [&](const Spreading& spreading) {
        return train(training.graph, ops, spreading, steps, training.integersBelow);
    };
    const Spreading there{.communicator = CommunicatorKind::threads,
                          .order = "dataflow",
                          .streams = 2,
                          .backend = on.backend->name};
    const Trained one = trained({});
    const Trained first = trained(there);
    const Trained second = trained(there);
    for (const std::string& refusal : first.refusals) {
        trial.fail(refusal);
    }
    std::string where;
    const double difference = largestDifference(one, first, where);
    trial.note("difference", difference);
    trial.require(difference < tolerance,
                  fmt::format("{} differs from the reference by {:.2g}", where, difference));
    trial.require(first.losses == second.losses && first.slotsAfter == second.slotsAfter,
                  "gives other bits when run again");
}

} // namespace

void proveLayers(const Proved& on, Report& report) {
    const Lowerings lowerings;
    for (const LayerTraining& training : layerTrainings(lowerings)) {
        if (training.graph != nullptr) {
            report.run(training.name,
                       [&](Case& trial) { prove(trial, on, lowerings.ops(), training); });
        }
    }
}

} // namespace weft::proof
