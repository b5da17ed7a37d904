// SPDX-License-Identifier: Apache-2.0
// Updates written out by hand, as PyTorch's Adam and AdamW make them.
#include "engine/backends/reference/one_op.h"
#include "support/test_main.h"

#include <QTest>
#include <cmath>

using namespace weft;
using namespace weft::test;

class TestAdam : public QObject {
    Q_OBJECT

private:
    OneOp run_;

private Q_SLOTS:
    void beginsWithStepsOfTheLearningRate() {
        const auto at = run_(
            "adam", {row({1, 1}), row({0.5, -8}), row({0, 0}), row({0, 0}), number(0.1), step(1)});
        QVERIFY(distance(at[0], {0.9, 1.1}) < 1e-8);
        QVERIFY(distance(at[1], {0.05, -0.8}) < 1e-15);
        QVERIFY(distance(at[2], {0.00025, 0.064}) < 1e-15);
    }

    void correctsBothMeansByTheStep() {
        const Attributes with = {{"beta1", 0.5}, {"beta2", 0.75}, {"epsilon", 0.125}};
        const auto at =
            run_("adam", {row({1}), row({2}), row({1}), row({2}), number(0.1), step(2)}, with);
        const double m = 0.5 * 1 + 0.5 * 2;
        const double v = 0.75 * 2 + 0.25 * 4;
        const double divisor = std::sqrt(v / (1 - 0.75 * 0.75)) + 0.125;
        QVERIFY(distance(at[0], {1 - 0.1 * (m / (1 - 0.25)) / divisor}) < 1e-14);
    }

    void putsTheDecayIntoTheGradientOrApart() {
        const std::vector<Tensor> inputs = {row({2}), row({0}),    row({0}),
                                            row({0}), number(0.1), step(1)};
        const auto coupled = run_("adam", inputs, {{"weight_decay", 0.5}});
        QVERIFY(distance(coupled[0], {1.9}) < 1e-7);
        const auto apart = run_("adam", inputs, {{"weight_decay", 0.5}, {"decoupled", true}});
        QVERIFY(distance(apart[0], {2 * (1 - 0.1 * 0.5)}) < 1e-14);
        QVERIFY(distance(apart[1], {0}) == 0);
    }
};

std::unique_ptr<QObject> makeTestAdam() { return std::make_unique<TestAdam>(); }

#include "tst_adam.moc"
