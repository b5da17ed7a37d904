// SPDX-License-Identifier: Apache-2.0
// Which room serves whom, and why another does not.

#include "schedule/meeting_room.h"
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

RoomList direct(const std::string& lacks) {
    RoomList rooms;
    rooms.add({.name = "direct",
               .backend = "gpu",
               .lacks = [lacks] { return lacks; },
               .version = {},
               .open = {}});
    return rooms;
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

class TestMeetingRoom : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void servesChipsOfTheirOwn_data() {
        QTest::addColumn<QStringList>("devices");
        QTest::addColumn<int>("hosts");
        QTest::addColumn<QString>("wanted");
        QTest::addColumn<QString>("lacks");
        QTest::addColumn<QString>("room");
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
                       << "training.room is host";
        row("one chip") << one << 1 << "chosen"
                        << ""
                        << ""
                        << "gpu:0 and gpu:0/1 are one chip";
        row("on two hosts") << one << 2 << "chosen"
                            << ""
                            << "direct"
                            << "";
        row("beside a processor") << QStringList{"cpu:0", "gpu:0"} << 1 << "chosen"
                                  << ""
                                  << ""
                                  << "cpu:0 is none of gpu";
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
        QFETCH(QString, room);
        QFETCH(QString, why);
        const Names names{devices[0].toStdString(), devices[1].toStdString()};
        const Plan plan = planOn(names, {{"", "data"}});
        const RoomRule rule = roomRule(direct(lacks.toStdString()), names, wanted.toStdString());
        const std::vector<DevicePlace> places{{0, 0}, {hosts - 1, hosts - 1}};
        const MeetingRoom met = meetingRoom(rule, places, plan, firstOf(plan));
        QCOMPARE(QString::fromStdString(met.name), room);
        QCOMPARE(QString::fromStdString(met.why), why);
        // What is asked for and cannot be had is an error, and nothing else is.
        const RoomRule forced = roomRule(direct(lacks.toStdString()), names, "devices");
        const bool isServed = !meetingRoom(forced, places, plan, firstOf(plan)).name.empty();
        const auto problems = checkRooms(forced, places, plan);
        QCOMPARE(problems.empty(), isServed);
        QVERIFY(problems.empty() || problems.front().code == "E076");
        QVERIFY(checkRooms(rule, places, plan).empty() || wanted == "devices");
    }

    /// Another backend for all devices is asked for its own room.
    void knowsTheBackendThatIsNamedInstead() {
        const Names names{"cpu:0", "cpu:1"};
        const Plan plan = planOn(names, {{"", "data"}});
        const RoomRule rule = roomRule(direct(""), names, "chosen", "gpu");
        QCOMPARE(meetingRoom(rule, {}, plan, firstOf(plan)).name, std::string("direct"));
    }

    /// Beside a room for chips of their own.
    void servesWorkersOnOneChip() {
        RoomList rooms = direct("no library");
        rooms.add({.name = "within",
                   .backend = "gpu",
                   .isOfOneChip = true,
                   .lacks = [] { return std::string(); },
                   .version = {},
                   .open = {}});
        const auto met = [&](const Names& names, const std::vector<DevicePlace>& places) {
            const Plan plan = planOn(names, {{"", "data"}});
            return meetingRoom(roomRule(rooms, names, "chosen"), places, plan, firstOf(plan));
        };
        QCOMPARE(met({"gpu:0/0", "gpu:0/1", "gpu:0/2"}, {}).name, std::string("within"));
        QCOMPARE(met({"gpu:0/0", "gpu:0/1"}, {{0, 0}, {1, 0}}).name, std::string("within"));
        QCOMPARE(met({"gpu:0", "gpu:1"}, {}).why, std::string("no library"));
        const MeetingRoom mixed = met({"gpu:0/0", "gpu:0/1", "gpu:1"}, {});
        QVERIFY(mixed.name.empty());
        QCOMPARE(mixed.why, std::string("gpu:0/0 and gpu:0/1 are one chip"));
        QVERIFY(met({"gpu:0/0", "cpu:0"}, {}).name.empty());
    }

    /// Sums of f32 alone are made on the chip.
    void leavesOtherSumsOfOneChipToHosts() {
        RoomList rooms;
        rooms.add({.name = "within",
                   .backend = "gpu",
                   .isOfOneChip = true,
                   .lacks = [] { return std::string(); },
                   .version = {},
                   .open = {}});
        const Names names{"gpu:0/0", "gpu:0/1"};
        Plan plan = planOn(names, {{"", "data"}});
        const RoomRule rule = roomRule(rooms, names, "chosen");
        const PlanNodeId sum = firstOf(plan);
        QVERIFY(collectiveOf(plan, sum, {0}, false).isAllReduce);
        QCOMPARE(meetingRoom(rule, {}, plan, sum).name, std::string("within"));
        Placed& input = plan.values[plan.at(sum).inputs.front().value];
        input.placements.front().kind = Placement::Kind::partialMax;
        QCOMPARE(meetingRoom(rule, {}, plan, sum).why,
                 std::string("the largest of several parts is found by hosts"));
    }

    void leavesToHostsWhatOnlyTheyFind() {
        const Names names{"gpu:0", "gpu:1"};
        Plan plan = planOn(names, {{"one", "model.add"}, {"two", "data"}, {"", "data"}});
        const RoomRule rule = roomRule(direct(""), names, "chosen");
        int moved = 0;
        for (std::uint32_t n = 0; n < plan.nodes.size(); ++n) {
            const PlanNode& node = plan.nodes[n];
            if (!node.node.isNone() || isLocal(node.collective) ||
                collectiveOf(plan, {n}, {0}, false).isAllReduce) {
                continue;
            }
            QCOMPARE(meetingRoom(rule, {}, plan, PlanNodeId{n}).name, std::string("direct"));
            Placed& input = plan.values[node.inputs.front().value];
            if (input.placements.front().isPartial()) {
                input.placements.front().kind = Placement::Kind::partialMax;
                QVERIFY(meetingRoom(rule, {}, plan, PlanNodeId{n}).name.empty());
                ++moved;
            }
        }
        QVERIFY(moved > 0);
    }
};

std::unique_ptr<QObject> makeTestMeetingRoom() { return std::make_unique<TestMeetingRoom>(); }
#include "tst_meeting_room.moc"
