// SPDX-License-Identifier: Apache-2.0
// Statistics as PyTorch keeps them.
#include "engine/layers/layer_run.h"
#include "support/test_main.h"

#include <QTest>
#include <cmath>

using namespace weft;
using namespace weft::test;

class TestBatchNorm : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void followsTheBatchWithTheUnbiasedVariance() {
        LayerRun run("batch_norm", {{"momentum", 0.25}}, {tensor({4, 1}, {1, 2, 3, 6})});
        run.give("running_mean", {1});
        run.give("running_var", {2});
        // mean 3, biased variance 3.5, unbiased 14 / 3
        QVERIFY(std::abs(run.next("running_mean").at(0) - (0.75 * 1 + 0.25 * 3)) < 1e-14);
        QVERIFY(std::abs(run.next("running_var").at(0) - (0.75 * 2 + 0.25 * 14 / 3)) < 1e-14);
    }

    void normalisesWithTheBatchWhileTraining() {
        LayerRun run("batch_norm", {{"epsilon", 0.5}}, {tensor({4, 1}, {1, 2, 3, 6})});
        run.give("weight", {2});
        run.give("bias", {10});
        QVERIFY(std::abs(run.output().at(0) - (10 + 2 * (1 - 3) / std::sqrt(3.5 + 0.5))) < 1e-14);
    }

    void normalisesWithTheRunningOnesOtherwise() {
        for (const Mode mode : {Mode::evaluate, Mode::infer}) {
            LayerRun run("batch_norm", {{"epsilon", 0.5}}, {tensor({1, 1}, {7})}, mode);
            run.give("weight", {2});
            run.give("bias", {10});
            run.give("running_mean", {3});
            run.give("running_var", {3.5});
            QVERIFY(std::abs(run.output().at(0) - (10 + 2 * 4 / 2.0)) < 1e-14);
        }
    }
};

std::unique_ptr<QObject> makeTestBatchNorm() { return std::make_unique<TestBatchNorm>(); }

#include "tst_batch_norm.moc"
