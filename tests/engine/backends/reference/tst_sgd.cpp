// SPDX-License-Identifier: Apache-2.0
// Updates written out by hand, as PyTorch's SGD makes them.
#include "engine/backends/reference/one_op.h"
#include "support/test_main.h"

#include <QTest>
#include <cmath>

using namespace weft;
using namespace weft::test;

class TestSgd : public QObject {
    Q_OBJECT

private:
    OneOp run_;

private Q_SLOTS:
    void movesAgainstTheGradient() {
        const auto next = run_("sgd", {row({1, -2}), row({0.5, 0.25}), number(0.1)});
        QVERIFY(distance(next[0], {0.95, -2.025}) < 1e-15);
    }

    void addsTheDecayToTheGradient() {
        const auto next = run_("sgd", {row({1, -2}), row({0.5, 0.25}), number(0.1)},
                               {{"weight_decay", 0.5}, {"rate_scale", 2.0}});
        QVERIFY(distance(next[0], {1 - 0.2 * 1.0, -2 - 0.2 * -0.75}) < 1e-15);
    }

    void takesARateOfAnotherWidth() {
        const auto next = run_("sgd", {row({1}), row({1}), Tensor(DType::f32, {}, {0.25})});
        QVERIFY(distance(next[0], {0.75}) < 1e-15);
    }

    void keepsMomentum() {
        const Attributes with = {{"momentum", 0.5}};
        auto at = run_("sgd_momentum", {row({1}), row({1}), row({0}), number(0.1)}, with);
        QVERIFY(distance(at[0], {0.9}) < 1e-15);
        QVERIFY(distance(at[1], {1}) < 1e-15);
        at = run_("sgd_momentum", {at[0], row({2}), at[1], number(0.1)}, with);
        QVERIFY(distance(at[1], {2.5}) < 1e-15);
        QVERIFY(distance(at[0], {0.65}) < 1e-15);
    }

    void looksAheadWithNesterov() {
        const Attributes with = {{"momentum", 0.5}, {"nesterov", true}};
        const auto at = run_("sgd_momentum", {row({1}), row({2}), row({4}), number(0.1)}, with);
        QVERIFY(distance(at[1], {4}) < 1e-15);
        QVERIFY(distance(at[0], {1 - 0.1 * (2 + 0.5 * 4)}) < 1e-15);
    }
};

std::unique_ptr<QObject> makeTestSgd() { return std::make_unique<TestSgd>(); }

#include "tst_sgd.moc"
