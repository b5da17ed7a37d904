// SPDX-License-Identifier: Apache-2.0
// The structure of a plan: buckets, homes, families, feeds, results.
#include "place/place.h"
#include "support/bug.h"
#include "support/small_network.h"

#include <QTest>

using namespace weft;
using namespace weft::test;

namespace {

void buildDeep(SmallNetwork& net, std::int64_t batch) {
    ValueId x = net.input("x", {batch, 6});
    for (const char* name : {"fc1", "fc2", "fc3"}) {
        x = net.op(std::string(name) + " relu", "relu", {net.dense(name, x, 6)});
    }
    net.train(net.meanLoss("loss", x));
}

std::vector<const PlanNode*> collectives(const Plan& plan, CollectiveKind kind) {
    std::vector<const PlanNode*> found;
    for (const PlanNode& node : plan.nodes) {
        if (node.node.isNone() && node.collective == kind) {
            found.push_back(&node);
        }
    }
    return found;
}

std::string homeOf(Plan plan, const std::string& slot) {
    return toString(plan.at(slotOf(plan, slot).home).placements);
}

} // namespace

class TestPlan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void gradientsShareBucketsInTheOrderInWhichTheyAreReady() {
        SmallNetwork net;
        buildDeep(net, 8);
        PlacementRequest request = net.request(2, {{"", "data"}});
        const Plan one = place(net.graph(), net.ops(), request).plan;
        const auto all = collectives(one, CollectiveKind::allReduce);
        QCOMPARE(all.size(), std::size_t{2}); // gradients, results
        QCOMPARE(all[0]->inputs.size(), std::size_t{6});
        QCOMPARE(all[0]->name, std::string("gradients 1"));
        QCOMPARE(one.valueOf(all[0]->inputs[0]).name, std::string("d fc3.bias"));
        QCOMPARE(one.valueOf(all[0]->inputs[5]).name, std::string("d fc1.weight"));

        request.bucketMegabytes = 100e-6; // a weight is 144 bytes, a bias 24
        const Plan several = place(net.graph(), net.ops(), request).plan;
        const auto buckets = collectives(several, CollectiveKind::allReduce);
        QCOMPARE(buckets.size(), std::size_t{4});
        QCOMPARE(buckets[0]->inputs.size(), std::size_t{2});
        // The first goes before the backward pass has ended.
        const auto position = [&](const PlanNode* node) { return node - several.nodes.data(); };
        const auto last = std::ranges::find_if(
            several.nodes.rbegin(), several.nodes.rend(), [&](const PlanNode& node) {
                return !node.node.isNone() && several.graph->at(node.node).pass == Pass::backward;
            });
        QVERIFY(position(buckets[0]) < &*last - several.nodes.data());
        verify(several);
    }

    void slotsLiveWhereTheirFirstUseWantsThem() {
        SmallNetwork net;
        buildDeep(net, 8);
        const Plan plan =
            place(net.graph(), net.ops(),
                  net.request(2, {{"fc1", "model.stack"}, {"fc2", "model.add"}, {"fc3", "data"}}))
                .plan;
        QCOMPARE(homeOf(plan, "fc1.weight"), std::string("S(0)"));
        QCOMPARE(homeOf(plan, "fc1.bias"), std::string("S(0)"));
        QCOMPARE(homeOf(plan, "fc1.weight/momentum"), std::string("S(0)"));
        QCOMPARE(homeOf(plan, "fc2.weight"), std::string("S(1)"));
        QCOMPARE(homeOf(plan, "fc2.bias"), std::string("R"));
        QCOMPARE(homeOf(plan, "fc3.weight"), std::string("R"));
    }

    void aProgramSetSharesHomes() {
        SmallNetwork training;
        buildDeep(training, 8);
        const std::map<std::string, std::string> assignments{{"fc1", "model.stack"},
                                                             {"fc2", "model.add"}};
        PlacementRequest request = training.request(3, assignments);
        const Plan first = place(training.graph(), training.ops(), request).plan;
        const auto homes = slotHomesOf(first);
        // A short batch under other words: the homes stay, the plan changes around them.
        SmallNetwork shortBatch;
        buildDeep(shortBatch, 1);
        PlacementRequest other = shortBatch.request(3, {{"", "data"}});
        other.fixedSlots = homes;
        const PlacementResult second = place(shortBatch.graph(), shortBatch.ops(), other);
        QCOMPARE(slotHomesOf(second.plan), homes);
        QVERIFY(differenceOf(shortBatch, second.plan) < 1e-9);
    }

    void examplesAreSplitAlongTheBatchOrNotAtAll() {
        SmallNetwork net;
        const ValueId x = net.input("x", {8, 6});
        net.train(net.meanLoss("loss", net.dense("fc", x, 4)));
        const auto feedOf = [&](const std::map<std::string, std::string>& assignments) {
            const Plan plan = place(net.graph(), net.ops(), net.request(2, assignments)).plan;
            verify(plan);
            return toString(plan.at(plan.feeds[0]).placements);
        };
        QCOMPARE(feedOf({{"fc", "data"}}), std::string("S(0)"));
        QCOMPARE(feedOf({{"fc", "model.stack"}}), std::string("R"));
        QCOMPARE(feedOf({{"fc", "model.add"}}), std::string("R"));
        QCOMPARE(feedOf({{"x", "data"}, {"fc", "model.stack"}}), std::string("S(0)"));
        QCOMPARE(feedOf({}), std::string("R"));
    }

    void resultsEndOnEveryDevice() {
        SmallNetwork net;
        const ValueId x = net.dense("fc1", net.input("x", {8, 6}), 6);
        const ValueId y = net.dense("fc2", x, 4);
        net.train(net.meanLoss("loss", y));
        const Plan plan =
            place(net.graph(), net.ops(),
                  net.request(4, {{"fc1", "data on cpu:0 cpu:1"}, {"fc2", "data on cpu:2 cpu:3"}}))
                .plan;
        verify(plan);
        for (const PlacedId result : plan.results) {
            QCOMPARE(plan.at(plan.at(result).mesh).devices.size(), std::size_t{4});
            QCOMPARE(toString(plan.at(result).placements), std::string("R"));
        }
    }

    void aGraphWithoutExpansionsIsShared() {
        SmallNetwork net;
        buildDeep(net, 8);
        const auto graph = std::make_shared<const Graph>(net.graph());
        const PlacementRequest request = net.request(2, {{"", "data"}});
        QCOMPARE(place(graph, net.ops(), request).plan.graph.get(), graph.get());
    }

    void everyWireTellsWhatItCarries() {
        SmallNetwork net;
        buildDeep(net, 8);
        const Plan plan =
            place(net.graph(), net.ops(), net.request(2, {{"", "data"}, {"fc2", "model.stack"}}))
                .plan;
        const auto wire = [&](bool isBackward) {
            return std::ranges::find_if(plan.traffic, [&](const WireTraffic& each) {
                return each.wire == "fc1 relu.y -> fc2.x" && each.isBackward == isBackward;
            });
        };
        QVERIFY(wire(false) != plan.traffic.end());
        QCOMPARE(wire(false)->from, net.origin("fc1 relu"));
        QCOMPARE(wire(false)->to, net.origin("fc2"));
        QCOMPARE(plan.at(wire(false)->node).collective, CollectiveKind::allGather);
        QVERIFY(wire(true) != plan.traffic.end());
        QCOMPARE(plan.at(wire(true)->node).collective, CollectiveKind::reduceScatter);
    }

    void equalQuestionsGiveEqualPlans() {
        SmallNetwork net;
        buildDeep(net, 7);
        const PlacementRequest request = net.request(3, {{"", "data"}, {"fc2", "model.stack"}});
        QCOMPARE(print(place(net.graph(), net.ops(), request).plan),
                 print(place(net.graph(), net.ops(), request).plan));
    }

    void verifyFindsWhatIsWrong_data() {
        QTest::addColumn<int>("fault");
        QTest::newRow("a row that is not legal") << 0;
        QTest::newRow("a collective of another kind") << 1;
        QTest::newRow("a slot that does not come home") << 2;
        QTest::newRow("a value used before it is made") << 3;
        QTest::newRow("cuts that differ") << 4;
    }
    void verifyFindsWhatIsWrong() {
        QFETCH(int, fault);
        SmallNetwork net;
        buildDeep(net, 8);
        Plan plan =
            place(net.graph(), net.ops(), net.request(2, {{"", "data"}, {"fc2", "model.stack"}}))
                .plan;
        verify(plan);
        const auto split = [](const Placed& placed) { return placed.placements[0].isSplit(); };
        switch (fault) {
        case 0: {
            auto& first = plan.values[plan.nodes[0].outputs[0].value];
            first.placements[0] = {.kind = Placement::Kind::partialSum};
            break;
        }
        case 1:
            std::ranges::find(plan.nodes, CollectiveKind::allGather, &PlanNode::collective)
                ->collective = CollectiveKind::allToAll;
            break;
        case 2: {
            SlotHome& weight = slotOf(plan, "fc1.weight");
            weight.next = weight.home;
            break;
        }
        case 3: std::swap(plan.nodes[0], plan.nodes[1]); break;
        default: std::ranges::find_if(plan.values, split)->placements[0].cuts[1] += 1; break;
        }
        QVERIFY(isBug([&] { verify(plan); }));
    }
};

std::unique_ptr<QObject> makeTestPlan() { return std::make_unique<TestPlan>(); }
#include "tst_plan.moc"
