// SPDX-License-Identifier: Apache-2.0
#include "engine/backends/reference/one_op.h"
#include "support/test_main.h"

#include <QTest>

using namespace weft;
using namespace weft::test;

class TestLinear : public QObject {
    Q_OBJECT

    OneOp run_;

private Q_SLOTS:
    void takesWeightsAsOutputsByInputs() {
        const Tensor x(DType::f64, {1, 2}, {1, 2});
        const Tensor w(DType::f64, {3, 2}, {1, 2, 3, 4, 5, 6});
        QVERIFY(distance(run_("linear", {x, w})[0], {5, 11, 17}) == 0);
    }

    void bringsTheGradientBackToInputAndWeights() {
        const Tensor x(DType::f64, {2, 2}, {1, 2, 3, 4});
        const Tensor w(DType::f64, {1, 2}, {5, 6});
        const Tensor dy(DType::f64, {2, 1}, {1, 10});
        QVERIFY(distance(run_("linear_dx", {dy, w})[0], {5, 6, 50, 60}) == 0);
        QVERIFY(distance(run_("linear_dw", {dy, x})[0], {31, 42}) == 0);
    }
};

std::unique_ptr<QObject> makeTestLinear() { return std::make_unique<TestLinear>(); }

#include "tst_linear.moc"
