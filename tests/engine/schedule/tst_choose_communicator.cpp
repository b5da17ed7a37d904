// SPDX-License-Identifier: Apache-2.0
// Which communicator serves whom, and why another does not.

#include "schedule/select/choose_communicator.h"
#include "schedule/task.h"
#include "support/small_network.h"
#include "support/test_main.h"

#include <QTest>

using namespace weft;
using namespace weft::test;

namespace {

using Names = std::vector<std::string>;

/// Trained on these, `assigned` by layer.
Plan planOn(const Names& devices, const std::map<std::string, std::string>& assigned) {
    SmallNetwork network;
    const ValueId x = network.input("x", {8, 6});
    const ValueId y = network.dense("one", x, 8);
    network.train(network.meanLoss("loss", network.dense("two", y, 4)));
    PlacementRequest request = network.request(devices.size(), assigned);
    request.devices = devices;
    return place(std::make_shared<const Graph>(network.graph()), network.ops(), request).plan;
}

CommunicatorList direct(const std::string& lacks) {
    CommunicatorList communicators;
    communicators.add({.name = "direct",
                       .backend = "gpu",
                       .lacks = [lacks] { return lacks; },
                       .version = {},
                       .open = {}});
    return communicators;
}

/// The first collective of the plan.
PlanNodeId firstOf(const Plan& plan) {
    for (std::uint32_t n = 0; n < plan.nodes.size(); ++n) {
        if (plan.nodes[n].node.isNone() && !isLocal(plan.nodes[n].collective)) {
            return {n};
        }
    }
    return {};
}

} // namespace

class TestChooseCommunicator : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void servesChipsOfTheirOwn_data() {
        QTest::addColumn<QStringList>("devices");
        QTest::addColumn<int>("hosts");
        QTest::addColumn<QString>("wanted");
        QTest::addColumn<QString>("lacks");
        QTest::addColumn<QString>("communicator");
        QTest::addColumn<QString>("why");
        const QStringList two{"gpu:0", "gpu:1"};
        const QStringList one{"gpu:0", "gpu:0/1"};
        const auto row = [](const char* name) -> QTestData& { return QTest::newRow(name); };
        row("two chips") << two << 1 << "chosen"
                         << ""
                         << "direct"
                         << "";
        row("asked for") << two << 1 << "devices"
                         << ""
                         << "direct"
                         << "";
        row("refused") << two << 1 << "host"
                       << ""
                       << ""
                       << "training.communicator is host";
        row("one chip") << one << 1 << "chosen"
                        << ""
                        << ""
                        << "gpu:0 and gpu:0/1 are on one GPU";
        row("on two hosts") << one << 2 << "chosen"
                            << ""
                            << "direct"
                            << "";
        row("beside a processor") << QStringList{"cpu:0", "gpu:0"} << 1 << "chosen"
                                  << ""
                                  << ""
                                  << "cpu:0 is not a device of gpu";
        row("no library") << two << 1 << "chosen"
                          << "nothing"
                          << ""
                          << "nothing";
        row("processors") << QStringList{"cpu:0", "cpu:1"} << 1 << "chosen"
                          << ""
                          << ""
                          << "";
    }
    void servesChipsOfTheirOwn() {
        QFETCH(QStringList, devices);
        QFETCH(int, hosts);
        QFETCH(QString, wanted);
        QFETCH(QString, lacks);
        QFETCH(QString, communicator);
        QFETCH(QString, why);
        const Names names{devices[0].toStdString(), devices[1].toStdString()};
        const Plan plan = planOn(names, {{"", "data"}});
        const CommunicatorRule rule =
            communicatorRule(direct(lacks.toStdString()), names, wanted.toStdString());
        const std::vector<DevicePlace> places{{0, 0}, {hosts - 1, hosts - 1}};
        const ChosenCommunicator met = chooseCommunicator(rule, places, plan, firstOf(plan));
        QCOMPARE(QString::fromStdString(met.name), communicator);
        QCOMPARE(QString::fromStdString(met.why), why);
        // Only an explicit request that cannot be fulfilled is an error.
        const CommunicatorRule forced =
            communicatorRule(direct(lacks.toStdString()), names, "devices");
        const bool isServed = !chooseCommunicator(forced, places, plan, firstOf(plan)).name.empty();
        const auto problems = checkCommunicators(forced, places, plan);
        QCOMPARE(problems.empty(), isServed);
        QVERIFY(problems.empty() || problems.front().code == "E076");
        QVERIFY(checkCommunicators(rule, places, plan).empty() || wanted == "devices");
    }

    /// Another backend for all devices is asked for its own communicator.
    void knowsTheBackendThatIsNamedInstead() {
        const Names names{"cpu:0", "cpu:1"};
        const Plan plan = planOn(names, {{"", "data"}});
        const CommunicatorRule rule = communicatorRule(direct(""), names, "chosen", "gpu");
        QCOMPARE(chooseCommunicator(rule, {}, plan, firstOf(plan)).name, std::string("direct"));
    }

    /// Beside a communicator for chips of their own.
    void servesWorkersOnOneChip() {
        CommunicatorList communicators = direct("no library");
        communicators.add({.name = "within",
                           .backend = "gpu",
                           .isWithinOneChip = true,
                           .lacks = [] { return std::string(); },
                           .version = {},
                           .open = {}});
        const auto met = [&](const Names& names, const std::vector<DevicePlace>& places) {
            const Plan plan = planOn(names, {{"", "data"}});
            return chooseCommunicator(communicatorRule(communicators, names, "chosen"), places,
                                      plan, firstOf(plan));
        };
        QCOMPARE(met({"gpu:0/0", "gpu:0/1", "gpu:0/2"}, {}).name, std::string("within"));
        QCOMPARE(met({"gpu:0/0", "gpu:0/1"}, {{0, 0}, {1, 0}}).name, std::string("within"));
        QCOMPARE(met({"gpu:0", "gpu:1"}, {}).why, std::string("no library"));
        const ChosenCommunicator mixed = met({"gpu:0/0", "gpu:0/1", "gpu:1"}, {});
        QVERIFY(mixed.name.empty());
        QCOMPARE(mixed.why, std::string("gpu:0/0 and gpu:0/1 are on one GPU"));
        QVERIFY(met({"gpu:0/0", "cpu:0"}, {}).name.empty());
    }

    /// Sums of f32 alone are made on the chip.
    void leavesOtherSumsOfOneChipToHosts() {
        CommunicatorList communicators;
        communicators.add({.name = "within",
                           .backend = "gpu",
                           .isWithinOneChip = true,
                           .lacks = [] { return std::string(); },
                           .version = {},
                           .open = {}});
        const Names names{"gpu:0/0", "gpu:0/1"};
        Plan plan = planOn(names, {{"", "data"}});
        const CommunicatorRule rule = communicatorRule(communicators, names, "chosen");
        const PlanNodeId sum = firstOf(plan);
        QVERIFY(collectiveOf(plan, sum, {0}, false).isAllReduce);
        QCOMPARE(chooseCommunicator(rule, {}, plan, sum).name, std::string("within"));
        Placed& input = plan.values[plan.at(sum).inputs.front().value];
        input.placements.front().kind = Placement::Kind::partialMax;
        QCOMPARE(chooseCommunicator(rule, {}, plan, sum).why,
                 std::string("a maximum over devices is reduced on the host"));
    }

    void leavesToHostsWhatOnlyTheyFind() {
        const Names names{"gpu:0", "gpu:1"};
        Plan plan = planOn(names, {{"one", "model.add"}, {"two", "data"}, {"", "data"}});
        const CommunicatorRule rule = communicatorRule(direct(""), names, "chosen");
        int moved = 0;
        for (std::uint32_t n = 0; n < plan.nodes.size(); ++n) {
            const PlanNode& node = plan.nodes[n];
            if (!node.node.isNone() || isLocal(node.collective) ||
                collectiveOf(plan, {n}, {0}, false).isAllReduce) {
                continue;
            }
            QCOMPARE(chooseCommunicator(rule, {}, plan, PlanNodeId{n}).name, std::string("direct"));
            Placed& input = plan.values[node.inputs.front().value];
            if (input.placements.front().isPartial()) {
                input.placements.front().kind = Placement::Kind::partialMax;
                QVERIFY(chooseCommunicator(rule, {}, plan, PlanNodeId{n}).name.empty());
                ++moved;
            }
        }
        QVERIFY(moved > 0);
    }
};

std::unique_ptr<QObject> makeTestChooseCommunicator() {
    return std::make_unique<TestChooseCommunicator>();
}
#include "tst_choose_communicator.moc"
