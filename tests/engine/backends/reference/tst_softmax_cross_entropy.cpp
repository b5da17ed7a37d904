// SPDX-License-Identifier: Apache-2.0
// Edge cases of the loss: huge logits, ignored targets, targets that are no class.
#include "engine/backends/reference/one_op.h"
#include "support/test_main.h"

#include <QTest>
#include <cmath>

using namespace weft;
using namespace weft::test;

class TestSoftmaxCrossEntropy : public QObject {
    Q_OBJECT

private:
    OneOp run_;

private Q_SLOTS:
    void isMinusTheLogOfTheProbability() {
        const Tensor logits(DType::f64, {2, 2}, {0, 0, std::log(3.0), 0});
        const auto at = run_("softmax_cross_entropy", {logits, ids({1, 0})});
        QVERIFY(distance(at[0], {std::log(2.0), std::log(4.0 / 3.0)}) < 1e-15);
    }

    void staysFiniteWithHugeLogits() {
        const Tensor logits(DType::f64, {1, 3}, {1e4, -1e4, 1e4});
        const auto at = run_("softmax_cross_entropy", {logits, ids({0})});
        QVERIFY(distance(at[0], {std::log(2.0)}) < 1e-10);
    }

    void givesNothingForIgnoredTargets() {
        const Tensor logits(DType::f64, {2, 2}, {3, 0, 3, 0});
        const auto at = run_("softmax_cross_entropy", {logits, ids({-100, 0})});
        QCOMPARE(at[0].at(0), 0.0);
        QVERIFY(at[0].at(1) > 0);
        const auto back =
            run_("softmax_cross_entropy_gradient", {logits, ids({-100, 0}), at[1], row({1, 1})});
        QVERIFY(back[0].at(0) == 0 && back[0].at(1) == 0 && back[0].at(2) < 0);
    }

    void isNotANumberForTargetsThatAreNoClass() {
        const Tensor logits(DType::f64, {2, 2}, {3, 0, 3, 0});
        const auto at = run_("softmax_cross_entropy", {logits, ids({2, -1}, DType::i32)});
        QVERIFY(std::isnan(at[0].at(0)) && std::isnan(at[0].at(1)));
        const auto picked = run_("pick", {logits, ids({2, -1})});
        QVERIFY(std::isnan(picked[0].at(0)) && std::isnan(picked[0].at(1)));
    }
};

std::unique_ptr<QObject> makeTestSoftmaxCrossEntropy() {
    return std::make_unique<TestSoftmaxCrossEntropy>();
}

#include "tst_softmax_cross_entropy.moc"
