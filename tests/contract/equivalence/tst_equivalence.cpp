// SPDX-License-Identifier: Apache-2.0
// Parallelism never changes the mathematics: every layer kind, as every assignment shardings it, on
// two to four workers and in every communicator of one process, trains to the same numbers as one
// device.
#include "contract/equivalence/spread_cases.h"
#include "contract/layers/layer_training.h"
#include "support/test_main.h"

#include <QTest>

using namespace weft;
using namespace weft::test;

namespace {

constexpr int steps = 3;
/// Three steps of f32 sums in other orders.
constexpr double tolerance = 2e-4;

} // namespace

class TestEquivalence : public QObject {
    Q_OBJECT

private:
    Lowerings lowerings_;

    /// Returns true if the layer can be assigned so; a difference fails the test.
    bool holds(const LayerTraining& training, const Trained& one, const SpreadCase& spread,
               CommunicatorKind communicator, const std::string& backend) {
        Spreading spreading{.devices = spread.devices,
                            .assignment = {},
                            .layers = {},
                            .communicator = communicator};
        spreading.backend = backend;
        spreading.layers[Origin{LayerId{1}, 0}] = spread.assignment;
        const Trained many =
            train(training.graph, lowerings_.ops(), spreading, steps, training.integersBelow);
        if (!many.refusals.empty()) {
            return false;
        }
        std::string where;
        const double difference = largestDifference(one, many, where);
        const std::string text = training.name + " by " + spread.name + " on " +
                                 std::to_string(spread.devices) + ": " + where + " differs by " +
                                 std::to_string(difference);
        [&] { QVERIFY2(difference < tolerance, text.c_str()); }();
        const std::string sent = training.name + " by " + spread.name + ": sent " +
                                 std::to_string(many.elementsSent) + " elements, planned " +
                                 std::to_string(many.elementsPlanned);
        [&] {
            QVERIFY2(std::abs(many.elementsSent - many.elementsPlanned) <=
                         many.elementsPlanned / 50 + 256,
                     sent.c_str());
        }();
        return true;
    }

    void everyLayer(std::size_t devices, CommunicatorKind communicator,
                    const std::string& backend = "reference") {
        int spread = 0;
        for (const LayerTraining& training : layerTrainings(lowerings_)) {
            if (!training.graph) {
                continue;
            }
            const Trained one =
                train(training.graph, lowerings_.ops(), {}, steps, training.integersBelow);
            for (const SpreadCase& candidate : spreadCases(devices)) {
                spread += holds(training, one, candidate, communicator, backend) ? 1 : 0;
                if (QTest::currentTestFailed()) {
                    return;
                }
            }
        }
        // Most layers can be spread by most words; far fewer would mean that placing refuses what
        // it should not.
        QVERIFY2(spread >= 60, std::to_string(spread).c_str());
    }

private Q_SLOTS:
    void spreadsEveryLayerOverTwoSimulatedDevices() { everyLayer(2, CommunicatorKind::simulated); }
    void spreadsEveryLayerOverThreeSimulatedDevices() {
        everyLayer(3, CommunicatorKind::simulated);
    }
    void spreadsEveryLayerOverFourSimulatedDevices() { everyLayer(4, CommunicatorKind::simulated); }
    void spreadsEveryLayerOverTwoThreads() { everyLayer(2, CommunicatorKind::threads); }
    /// With the formats that its kernels command for, and groups.
    void spreadsEveryLayerOverTwoThreadsOfTheProcessor() {
        everyLayer(2, CommunicatorKind::threads, "cpu");
    }
    void spreadsEveryLayerOverFourThreads() { everyLayer(4, CommunicatorKind::threads); }
};

std::unique_ptr<QObject> makeTestEquivalence() { return std::make_unique<TestEquivalence>(); }
#include "tst_equivalence.moc"
