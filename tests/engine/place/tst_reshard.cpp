// SPDX-License-Identifier: Apache-2.0
#include "place/reshard.h"
#include "sharded_values.h"

#include <QTest>

using namespace weft;
using namespace weft::test;

class TestReshard : public QObject {
    Q_OBJECT

    using Kind = Placement::Kind;
    static Placement split(int dim, std::int64_t size, std::int64_t parts) {
        return {Kind::split, dim, 1, balancedCuts(0, size, parts)};
    }
    static constexpr Placement::Kind sum = Kind::partialSum;
    static Mesh line(std::uint32_t devices, std::uint32_t first = 0) {
        Mesh mesh{{}, {devices}};
        for (std::uint32_t k = 0; k < devices; ++k) {
            mesh.devices.push_back({first + k});
        }
        return mesh;
    }

private Q_SLOTS:
    void blocksBringAnyPlacementToAnyOther_data() {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 1; seed <= 400; ++seed) {
            QTest::addRow("seed %u", seed) << seed;
        }
    }
    void blocksBringAnyPlacementToAnyOther() {
        QFETCH(unsigned, seed);
        Random random(seed);
        const std::vector<Shape> shapes{{}, {7}, {1, 5}, {6, 4}, {3, 2, 5}};
        const Shape& shape = shapes[seed % shapes.size()];
        const Mesh from = drawMesh(6, random);
        const Mesh to = seed % 3 == 0 ? drawMesh(6, random) : from;
        const auto whole = drawWhole(shape, random);
        const ShardedValue value =
            sharding(whole, shape, from, drawPlacements(shape, from, random), random);
        QCOMPARE(gathered(value), std::optional(whole));
        const Placements target = drawPlacements(shape, to, random);
        QCOMPARE(gathered(moved(value, to, target)), std::optional(whole));

        const PlannedChange change =
            planChange(shape, 4, from, value.placements, to, target, LinkSheet{});
        ShardedValue at = value;
        for (const ChangeStep& step : change.steps) {
            const Mesh& next = step.onTarget ? to : from;
            QVERIFY(isWellFormed(shape, next, step.placements));
            const bool sends = std::ranges::any_of(
                blockTransfers(shape, at.mesh, at.placements, next, step.placements),
                [](const BlockTransfer& block) { return block.from != block.to; });
            QVERIFY2(!sends || !isLocal(step.kind), "a local step sends something");
            at = moved(at, next, step.placements);
            QCOMPARE(gathered(at), std::optional(whole));
        }
        QVERIFY(at.mesh == to);
        QCOMPARE(at.placements.size(), target.size());
        for (std::size_t member = 0; member < to.devices.size(); ++member) {
            QCOMPARE(boxOf(shape, to, at.placements, member), boxOf(shape, to, target, member));
        }
    }

    void fastCasesHaveNames_data() {
        QTest::addColumn<int>("from");
        QTest::addColumn<int>("to");
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("sent");
        // 0: R, 1: P, 2: S(0), 3: S(1), 4: S(0) with other cuts; [8, 6] on 3 devices.
        QTest::newRow("slice") << 0 << 2 << "slice" << 0;
        QTest::newRow("keep first") << 0 << 1 << "keep-first" << 0;
        QTest::newRow("pad zero") << 2 << 1 << "pad-zero" << 0;
        QTest::newRow("all-reduce") << 1 << 0 << "all-reduce" << 64;
        QTest::newRow("all-gather") << 3 << 0 << "all-gather" << 32;
        QTest::newRow("reduce-scatter") << 1 << 3 << "reduce-scatter" << 32;
        QTest::newRow("all-to-all") << 3 << 2 << "all-to-all" << 12;
        QTest::newRow("exchange") << 2 << 4 << "exchange" << 12;
    }
    void fastCasesHaveNames() {
        QFETCH(int, from);
        QFETCH(int, to);
        QFETCH(QString, name);
        QFETCH(int, sent);
        const std::vector<Placements> all{{Placement{}},
                                          {Placement{sum}},
                                          {split(0, 8, 3)},
                                          {split(1, 6, 3)},
                                          {{Kind::split, 0, 1, {0, 1, 4, 8}}}};
        Plan plan;
        auto graph = std::make_shared<Graph>();
        graph->values.push_back({DType::f32, {8, 6}, {}, 0, "y"});
        plan.graph = graph;
        plan.devices = {"cpu:0", "cpu:1", "cpu:2"};
        plan.meshes = {line(3)};
        const auto& source = all[static_cast<std::size_t>(from)];
        const auto& target = all[static_cast<std::size_t>(to)];
        const PlannedChange change =
            planChange({8, 6}, 4, line(3), source, line(3), target, LinkSheet{});
        QCOMPARE(change.steps.size(), std::size_t{1});
        QCOMPARE(QString::fromUtf8(nameOf(change.steps[0].kind).data()), name);
        plan.values = {{{0}, {0}, source, {}}, {{0}, {0}, target, {}}};
        const PlanNode node{.node = {},
                            .collective = change.steps[0].kind,
                            .inputs = {{0}},
                            .outputs = {{1}},
                            .mesh = {0},
                            .name = "y",
                            .origin = {}};
        QCOMPARE(std::ranges::max(elementsSent(plan, node)), std::int64_t{sent});
    }

    void doesNothingWhereNothingChanges() {
        QVERIFY(
            planChange({8}, 4, line(2), {split(0, 8, 2)}, line(2), {split(0, 8, 2)}, LinkSheet{})
                .steps.empty());
    }

    void aCopyAlreadyThereIsAnAlias() {
        const PlannedChange change =
            planChange({8}, 4, line(4), {Placement{}}, line(2, 1), {Placement{}}, LinkSheet{});
        QCOMPARE(change.steps.size(), std::size_t{1});
        QCOMPARE(change.steps[0].kind, CollectiveKind::alias);
    }

    void reducesBothAxesAtOnce() {
        const Mesh grid{{{0}, {1}, {2}, {3}}, {2, 2}};
        const Placements partial{{sum}, {sum}};
        const PlannedChange change =
            planChange({8}, 4, grid, partial, grid, {Placement{}, Placement{}}, LinkSheet{});
        QCOMPARE(change.steps.size(), std::size_t{1});
        QCOMPARE(change.steps[0].kind, CollectiveKind::allReduce);
        QCOMPARE(sentByAllReduce({8}, grid, partial, {Placement{}, Placement{}}),
                 (std::vector<std::int64_t>{12, 12, 12, 12}));
    }

    void reducesAlongOneAxisInsideTheParts() {
        const Mesh grid{{{0}, {1}, {2}, {3}}, {2, 2}};
        const Placements source{split(0, 8, 2), {sum}};
        const Placements target{split(0, 8, 2), {}};
        const PlannedChange change = planChange({8}, 4, grid, source, grid, target, LinkSheet{});
        QCOMPARE(change.steps.size(), std::size_t{1});
        QCOMPARE(change.steps[0].kind, CollectiveKind::allReduce);
        QCOMPARE(sentByAllReduce({8}, grid, source, target),
                 (std::vector<std::int64_t>{4, 4, 4, 4}));
    }

    void finishesASumBeforeItLeavesItsMesh() {
        const PlannedChange change = planChange({1000, 1000}, 4, line(4), {Placement{sum}},
                                                line(1, 4), {Placement{}}, LinkSheet{});
        QCOMPARE(change.steps.size(), std::size_t{2});
        QCOMPARE(change.steps[0].kind, CollectiveKind::reduceScatter);
        QCOMPARE(change.steps[1].kind, CollectiveKind::exchange);
    }

    void refusesCutsThatDoNotNest() {
        const Mesh grid{{{0}, {1}, {2}, {3}}, {2, 2}};
        const Placement outer{Kind::split, 0, 1, {0, 4, 7}};
        QVERIFY(isWellFormed({7}, grid, {outer, {Kind::split, 0, 1, {0, 2, 4, 4, 6, 7}}}));
        QVERIFY(!isWellFormed({7}, grid, {outer, {Kind::split, 0, 1, {0, 2, 3, 3, 6, 7}}}));
        QVERIFY(!isWellFormed({7}, grid, {outer, {Kind::split, 0, 1, {0, 4, 7}}}));
    }
};

std::unique_ptr<QObject> makeTestReshard() { return std::make_unique<TestReshard>(); }
#include "tst_reshard.moc"
