// SPDX-License-Identifier: Apache-2.0
// Layers that learn without a gradient accumulate a sum and a count, which are divided once.
#include "support/simulated_plan.h"
#include "support/small_network.h"
#include "transform/optimize_step.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <memory>

using namespace weft;
using namespace weft::test;

namespace {

TrainingSettings twoUpdates(bool isLate) {
    TrainingSettings training;
    training.syncEvery = 2;
    training.sync = isLate ? "one period late" : "at once";
    return training;
}

/// A dense layer that asks for its own update: its op stands in for one that divides by the count.
struct Asking {
    Asking() {
        const ValueId x = network.input("x", {6, 4});
        const ValueId y = network.dense("fc", x, 3, false);
        const ValueId active = network.op("active", "relu", {y});
        const Graph& graph = network.graph();
        update = {.slot = graph.slotNamed("fc.weight"),
                  .sum = network.op("sum", "linear_dw", {y, x}),
                  .count = network.op("count", "linear_dw", {active, x}),
                  .op = "sgd_momentum",
                  .attributes = {{"momentum", 0.25}}};
        network.graph().updates.push_back(update);
    }

    SmallNetwork network;
    LayerUpdate update;
};

/// Evaluates the graph on whole values with the given slots.
std::map<ValueId, Tensor> computed(const Asking& asking, double x,
                                   const std::map<std::string, Tensor>& kept) {
    const Graph& graph = asking.network.graph();
    std::map<ValueId, Tensor> given = drawGiven(graph, 3);
    for (const Slot& slot : graph.slots) {
        if (const auto known = kept.find(slot.name); known != kept.end()) {
            given[slot.value] = known->second;
        }
    }
    Tensor& data = given.at(graph.feeds.front().value);
    for (std::int64_t k = 0; k < data.elements(); ++k) {
        data.set(k, data.at(k) * x);
    }
    Oracle oracle;
    return evaluate(graph, oracle, given);
}

Tensor nextOf(const Asking& asking, const std::map<ValueId, Tensor>& values,
              const std::string& slot) {
    const Graph& graph = asking.network.graph();
    return values.at(graph.at(graph.slotNamed(slot)).next);
}

std::vector<std::string> collectivesOf(const Plan& plan) {
    std::vector<std::string> names;
    for (const PlanNode& node : plan.nodes) {
        if (node.node.isNone() && !isLocal(node.collective)) {
            names.push_back(node.name);
        }
    }
    return names;
}

} // namespace

class TestPeriodSums : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sumsAndCountsAreAppliedOnce() {
        const TrainingSettings training = twoUpdates(false);
        Asking first;
        appendUpdate(first.network.graph(), first.network.ops(), allOptimizers(), training,
                     {.adds = true, .reduces = false, .applies = false});
        verify(first.network.graph());
        const Tensor nothing(DType::f64, {3, 4});
        const auto one =
            computed(first, 1, {{"fc.weight/sum", nothing}, {"fc.weight/count", nothing}});
        const Graph& graph = first.network.graph();
        QVERIFY(graph.at(first.update.slot).next.isNone());
        QVERIFY(graph.at(graph.slotNamed("fc.weight/count")).isCount &&
                !graph.at(graph.slotNamed("fc.weight/sum")).isCount);

        Asking second;
        appendUpdate(second.network.graph(), second.network.ops(), allOptimizers(), training, {});
        verify(second.network.graph());
        const Tensor sum = nextOf(first, one, "fc.weight/sum");
        const Tensor count = nextOf(first, one, "fc.weight/count");
        const auto two = computed(second, 2, {{"fc.weight/sum", sum}, {"fc.weight/count", count}});
        const Tensor& before = one.at(first.network.graph().at(first.update.slot).value);
        const Tensor after = nextOf(second, two, "fc.weight");
        constexpr double rate = 0.5; // as the network's tests draw it
        const Tensor& own = two.at(second.update.sum);
        const Tensor& ownCount = two.at(second.update.count);
        for (std::int64_t k = 0; k < before.elements(); ++k) {
            const double total = sum.at(k) + own.at(k) + 0.25 * (count.at(k) + ownCount.at(k));
            QVERIFY(std::abs(after.at(k) - (before.at(k) - rate * total)) < 1e-9);
            QCOMPARE(nextOf(second, two, "fc.weight/sum").at(k), 0.0);
            QCOMPARE(nextOf(second, two, "fc.weight/count").at(k), 0.0);
        }
    }

    void staysApartByBatchAndComesHomeOnce_data() {
        QTest::addColumn<QString>("words");
        QTest::addColumn<int>("devices");
        QTest::newRow("batch") << "batch" << 2;
        QTest::newRow("data") << "data" << 3;
        QTest::newRow("both") << "batch model.stack on cpu:0 cpu:1 cpu:2 cpu:3 as 2x2" << 4;
    }
    void staysApartByBatchAndComesHomeOnce() {
        QFETCH(const QString, words);
        QFETCH(const int, devices);
        for (const bool applies : {false, true}) {
            Asking asking;
            const TrainingStep does{.adds = true, .reduces = applies, .applies = applies};
            appendUpdate(asking.network.graph(), asking.network.ops(), allOptimizers(),
                         twoUpdates(false), does);
            const PlacementRequest request = asking.network.request(
                static_cast<std::size_t>(devices), {{"", words.toStdString()}});
            Plan plan = place(asking.network.graph(), asking.network.ops(), request).plan;
            QVERIFY(differenceOf(asking.network, plan) < 1e-9);
            const bool isApart = words.startsWith("batch");
            for (const char* slot : {"fc.weight/sum", "fc.weight/count"}) {
                const Placements& home = plan.at(slotOf(plan, slot).home).placements;
                QCOMPARE(home.front().isPartial(), isApart);
            }
            const auto names = collectivesOf(plan);
            const auto has = [&](const std::string& name) {
                return std::ranges::find(names, name) != names.end();
            };
            QCOMPARE(has("fc.weight sync"), !isApart || applies);
            QCOMPARE(names.empty(), isApart && !applies);
        }
    }

    void anIdleStepComputesNothingToLearnBy() {
        Asking asking;
        Graph& graph = asking.network.graph();
        graph.results.push_back({"seen", ResultKind::metric, graph.nodes.front().outputs.front()});
        const std::size_t all = graph.nodes.size();
        Graph seen = graph;
        const TrainingStep idle{.adds = false, .reduces = false, .applies = false};
        appendUpdateWithoutGradients(graph, asking.network.ops(), allOptimizers(),
                                     twoUpdates(false), idle, {});
        verify(graph);
        QCOMPARE(graph.nodes.size(), all - 3); // sum, count, and what only that read
        QVERIFY(graph.at(asking.update.sum).producer.isNone() && graph.updates.empty());
        const ValueId active = seen.at(seen.at(asking.update.count).producer).inputs.front();
        appendUpdateWithoutGradients(seen, asking.network.ops(), allOptimizers(), twoUpdates(false),
                                     idle, {}, {active});
        verify(seen);
        QCOMPARE(seen.nodes.size(), all - 2);
    }

    void bringsHomeWhatIsPendingInAnIdleStep() {
        const TrainingSettings training = twoUpdates(true);
        Asking asking;
        Graph& forward = asking.network.graph();
        forward.results.push_back(
            {"seen", ResultKind::metric, forward.nodes.front().outputs.front()});
        appendUpdateWithoutGradients(forward, asking.network.ops(), allOptimizers(), training,
                                     {.adds = false, .reduces = true, .applies = false}, forward);
        verify(asking.network.graph());
        const auto values = computed(asking, 1, {});
        const Graph& graph = asking.network.graph();
        for (const char* name : {"sum", "count"}) {
            const std::string slot = std::string("fc.weight/") + name;
            const Tensor& kept = values.at(graph.at(graph.slotNamed(slot)).value);
            const Tensor pending = nextOf(asking, values,
                                          name == std::string("sum") ? "fc.weight/pending"
                                                                     : "fc.weight/pending_count");
            for (std::int64_t k = 0; k < kept.elements(); ++k) {
                QCOMPARE(pending.at(k), kept.at(k)); // a sum, which its op divides
                QCOMPARE(nextOf(asking, values, slot).at(k), 0.0);
            }
        }
        const PlacementRequest request = asking.network.request(2, {{"", "batch"}});
        const Plan plan = place(graph, asking.network.ops(), request).plan;
        QVERIFY(differenceOf(asking.network, plan) < 1e-9);
        const auto names = collectivesOf(plan);
        QCOMPARE(std::ranges::count(names, "fc.weight sync"), 1);
    }
};

std::unique_ptr<QObject> makeTestPeriodSums() { return std::make_unique<TestPeriodSums>(); }
#include "tst_period_sums.moc"
