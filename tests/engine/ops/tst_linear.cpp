// SPDX-License-Identifier: Apache-2.0
// The error messages for inputs that do not fit.
#include "graph/builder.h"
#include "ops/ops.h"
#include "support/test_main.h"

#include <QTest>

using namespace weft;

class TestLinear : public QObject {
    Q_OBJECT

    OpList ops_;

    ShapeRefusal refusalOf(const std::string& op, const std::vector<Shape>& shapes,
                           const Attributes& attributes = {}) {
        Graph graph;
        Builder builder(graph, ops_);
        std::vector<ValueId> inputs;
        inputs.reserve(shapes.size());
        for (const Shape& shape : shapes) {
            inputs.push_back(builder.addFeed("x", FeedKind::data, DType::f32, shape));
        }
        builder.addAll(op, inputs, attributes);
        const auto refusals = builder.takeRefusals();
        return refusals.empty() ? ShapeRefusal{} : refusals.front();
    }

private Q_SLOTS:
    void initTestCase() { ops::fill(ops_); }

    void sendsAPictureThroughFlatten() {
        const ShapeRefusal refusal = refusalOf("linear", {{32, 256, 6, 6}, {10, 6}});
        QCOMPARE(refusal.reason,
                 std::string("input is [32, 256, 6, 6]; dense expects [batch, features]"));
        QCOMPARE(refusal.insert, std::string("flatten"));
        QCOMPARE(refusal.input, std::size_t{0});
    }

    void namesTheWeightsThatDoNotFit() {
        const ShapeRefusal refusal = refusalOf("linear", {{32, 100}, {10, 120}});
        QCOMPARE(refusal.reason,
                 std::string("input is [32, 100]; weights [10, 120] expect 120 features"));
        QVERIFY(refusal.insert.empty());
    }

    void namesTheWindowThatDoesNotFit() {
        const ShapeRefusal refusal = refusalOf("conv2d", {{8, 3, 4, 9}, {16, 3, 5, 5}});
        QCOMPARE(refusal.reason,
                 std::string("input is [8, 3, 4, 9]; a window of 5 x 5 does not "
                             "fit into 4 x 9 rows and columns, which include the padding"));
    }

    void saysNothingTwice() {
        Graph graph;
        Builder builder(graph, ops_);
        const ValueId x = builder.addFeed("x", FeedKind::data, DType::f32, {2, 3});
        const ValueId w = builder.addFeed("w", FeedKind::data, DType::f32, {4, 5});
        builder.add("relu", {builder.add("linear", {x, w})});
        QCOMPARE(builder.takeRefusals().size(), std::size_t{1});
    }
};

std::unique_ptr<QObject> makeTestLinear() { return std::make_unique<TestLinear>(); }

#include "tst_linear.moc"
