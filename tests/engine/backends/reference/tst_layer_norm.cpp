// SPDX-License-Identifier: Apache-2.0
#include "engine/backends/reference/one_op.h"
#include "support/test_main.h"

#include <QTest>

using namespace weft;
using namespace weft::test;

class TestLayerNorm : public QObject {
    Q_OBJECT

    OneOp run_;

private Q_SLOTS:
    void normalisesEachRow() {
        const Tensor x(DType::f64, {2, 2}, {1, 3, 10, 30});
        const auto made = run_("layer_norm", {x, row({2, 4}), row({1, 0})}, {{"epsilon", 0.0}});
        QVERIFY(distance(made[0], {-1, 4, -1, 4}) < 1e-14);
        QVERIFY(distance(made[1], {2, 20}) == 0);
        QVERIFY(distance(made[2], {1, 0.1}) < 1e-15);
    }

    void addsEpsilonBeforeTheRoot() {
        const Tensor x(DType::f64, {1, 2}, {1, 3});
        const auto made = run_("layer_norm", {x, row({1, 1}), row({0, 0})}, {{"epsilon", 3.0}});
        QVERIFY(distance(made[0], {-0.5, 0.5}) == 0);
    }
};

std::unique_ptr<QObject> makeTestLayerNorm() { return std::make_unique<TestLayerNorm>(); }

#include "tst_layer_norm.moc"
