// SPDX-License-Identifier: Apache-2.0
// Statistics that divide by the whole count, and where epsilon goes.
#include "engine/backends/reference/one_op.h"
#include "support/test_main.h"

#include <QTest>

using namespace weft;
using namespace weft::test;

class TestBatchNorm : public QObject {
    Q_OBJECT

    OneOp run_;

private Q_SLOTS:
    void normalisesByTheBiasedVariance() {
        const Tensor x(DType::f64, {2, 1}, {1, 3});
        const auto made = run_("batch_norm", {x, row({2}), row({1})}, {{"epsilon", 0.0}});
        QVERIFY(distance(made[0], {-1, 3}) == 0);
        QVERIFY(distance(made[1], {2}) == 0);
        QVERIFY(distance(made[2], {1}) == 0);
    }

    void addsEpsilonBeforeTheRoot() {
        const Tensor x(DType::f64, {2, 1}, {1, 3});
        const auto made = run_("batch_norm", {x, row({2}), row({1})}, {{"epsilon", 3.0}});
        QVERIFY(distance(made[0], {0, 2}) == 0);
    }

    void keepsChannelsApart() {
        const Tensor x(DType::f64, {1, 2, 1, 2}, {1, 3, 10, 30});
        const auto made = run_("batch_norm", {x, row({1, 1}), row({0, 0})}, {{"epsilon", 0.0}});
        QVERIFY(distance(made[1], {2, 20}) == 0);
        QVERIFY(distance(made[2], {1, 100}) == 0);
        QVERIFY(distance(made[0], {-1, 1, -1, 1}) < 1e-15);
    }

    void mixesRunningStatisticsAsPyTorchDoes() {
        const auto next =
            run_("running_statistics", {row({10}), row({4})}, {{"momentum", 0.1}, {"scale", 2.0}});
        QVERIFY(distance(next[0], {9.8}) < 1e-14);
    }

    void takesAPartsShareOfTheWholeMean() {
        // Two of five examples: their share of the mean is their sum by five.
        const TensorPart x{DType::f64, {2, 1}, {3, 0}, {5, 1}, {}};
        const auto mean =
            run_.oracle().run("channel_mean", {}, {Tensor(DType::f64, {2, 1}, {4, 6})}, {x},
                              {wholePart(DType::f64, {1})});
        QVERIFY(distance(mean[0], {2}) == 0);
    }
};

std::unique_ptr<QObject> makeTestBatchNorm() { return std::make_unique<TestBatchNorm>(); }

#include "tst_batch_norm.moc"
