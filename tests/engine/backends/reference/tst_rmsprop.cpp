// SPDX-License-Identifier: Apache-2.0
// Updates written out by hand, as PyTorch's RMSprop makes them.
#include "engine/backends/reference/one_op.h"
#include "support/test_main.h"

#include <QTest>
#include <cmath>

using namespace weft;
using namespace weft::test;

class TestRmsprop : public QObject {
    Q_OBJECT

private:
    OneOp run_;

private Q_SLOTS:
    void dividesByTheRootOfTheMeanSquare() {
        const Attributes with = {{"alpha", 0.75}, {"epsilon", 0.125}};
        const auto next =
            run_("rmsprop", {row({1, 1}), row({2, -2}), row({4, 0}), number(0.1)}, with);
        QVERIFY(distance(next[0], {1 - 0.1 * 2 / 2.125, 1 + 0.1 * 2 / 1.125}) < 1e-14);
        QVERIFY(distance(next[1], {4, 1}) < 1e-14);
    }

    void sumsUpTheDividedGradientsWithMomentum() {
        const Attributes with = {{"alpha", 0.75}, {"epsilon", 0.125}, {"momentum", 0.5}};
        const auto next =
            run_("rmsprop_momentum", {row({1}), row({2}), row({4}), row({3}), number(0.1)}, with);
        const double moved = 0.5 * 3 + 2 / 2.125;
        QVERIFY(distance(next[0], {1 - 0.1 * moved}) < 1e-14);
        QVERIFY(distance(next[1], {4}) < 1e-14);
        QVERIFY(distance(next[2], {moved}) < 1e-14);
    }

    void addsTheDecayToTheGradientAndScalesTheRate() {
        const Attributes with = {
            {"alpha", 0.75}, {"epsilon", 0.5}, {"weight_decay", 0.5}, {"rate_scale", 0.25}};
        const auto next = run_("rmsprop", {row({4}), row({2}), row({0}), number(0.1)}, with);
        QVERIFY(distance(next[0], {4 - 0.025 * 4 / 2.5}) < 1e-14);
        QVERIFY(distance(next[1], {4}) < 1e-14);
    }
};

std::unique_ptr<QObject> makeTestRmsprop() { return std::make_unique<TestRmsprop>(); }

#include "tst_rmsprop.moc"
