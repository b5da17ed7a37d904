// SPDX-License-Identifier: Apache-2.0
// Every layer kind, as every assignment spreads it over two devices that run their work later and
// keep their memory to themselves, trains to the numbers of one device of the reference: both such
// devices, or one beside a device of the host; on two streams each, whose work runs in a random
// legal order.

#include "contract/equivalence/spread_cases.h"
#include "contract/layers/layer_training.h"
#include "support/sim/chip.h"
#include "support/sim/sim_communicator.h"
#include "support/test_main.h"

#include <QTest>

using namespace weft;
using namespace weft::test;

namespace {

constexpr int steps = 3;
/// Where all meet whose memory hosts may not touch.
const CommunicatorList& communicators() {
    static const CommunicatorList all = [] {
        CommunicatorList list;
        list.add(sim::simCommunicator());
        return list;
    }();
    return all;
}

/// Three steps of f32 sums in other orders.
constexpr double tolerance = 2e-4;

} // namespace

class TestSimTraining : public QObject {
    Q_OBJECT

private:
    Lowerings lowerings_;
    int collectives_ = 0; ///< in all trainings
    int apart_ = 0;       ///< collectives without the hosts

    /// Returns true if the layer can be assigned so; a difference fails the test.
    bool holds(const LayerTraining& training, const Trained& one, const SpreadCase& spread,
               const std::string& second) {
        Spreading spreading{.devices = spread.devices,
                            .communicator = CommunicatorKind::threads,
                            .order = "dataflow",
                            .streams = 2,
                            .backend = "sim",
                            .second = second,
                            .communicators = second.empty() ? &communicators() : nullptr};
        spreading.layers[Origin{LayerId{1}, 0}] = spread.assignment;
        const std::string what = training.name + " by " + spread.name;
        try {
            const Trained many =
                train(training.graph, lowerings_.ops(), spreading, steps, training.integersBelow);
            if (!many.refusals.empty()) {
                return false;
            }
            collectives_ += many.collectives;
            apart_ += many.apart;
            std::string where;
            const double difference = largestDifference(one, many, where);
            const std::string text =
                what + ": " + where + " differs by " + std::to_string(difference);
            [&] { QVERIFY2(difference < tolerance, text.c_str()); }();
        } catch (const std::exception& error) {
            const std::string text = what + ": " + error.what();
            [&] { QFAIL(text.c_str()); }();
        }
        return true;
    }

    void everyLayer(const std::string& second) {
        int spread = 0;
        for (const LayerTraining& training : layerTrainings(lowerings_)) {
            if (!training.graph) {
                continue;
            }
            const Trained one =
                train(training.graph, lowerings_.ops(), {}, steps, training.integersBelow);
            for (const SpreadCase& candidate : spreadCases(2)) {
                spread += holds(training, one, candidate, second) ? 1 : 0;
                if (QTest::currentTestFailed()) {
                    return;
                }
            }
        }
        QVERIFY2(spread >= 60, std::to_string(spread).c_str());
    }

private Q_SLOTS:
    void initTestCase() { qInfo("seed %u (WEFT_SIM_SEED)", sim::seed()); }
    void spreadsEveryLayerOverTwo() {
        everyLayer({});
        qInfo("%d of %d collectives without the hosts", apart_, collectives_);
        QVERIFY(apart_ > collectives_ / 2);
    }
    void spreadsEveryLayerBesideOneOfTheHost() {
        const int before = apart_;
        everyLayer("reference");
        QCOMPARE(apart_, before);
    }
};

std::unique_ptr<QObject> makeTestSimTraining() { return std::make_unique<TestSimTraining>(); }
#include "tst_sim_training.moc"
