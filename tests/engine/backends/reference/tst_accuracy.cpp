// SPDX-License-Identifier: Apache-2.0
// Which of equal logits counts, and which rows.
#include "engine/backends/reference/one_op.h"
#include "support/test_main.h"

#include <QTest>
#include <cmath>

using namespace weft;
using namespace weft::test;

class TestAccuracy : public QObject {
    Q_OBJECT

private:
    OneOp run_;

private Q_SLOTS:
    void takesTheFirstOfEqualLogits() {
        const Tensor logits(DType::f64, {2, 3}, {1, 1, 0, 0, 2, 2});
        QCOMPARE(run_("accuracy", {logits, ids({0, 1})})[0].at(0), 1.0);
        QCOMPARE(run_("accuracy", {logits, ids({1, 2})})[0].at(0), 0.0);
        const auto index = run_("argmax", {logits});
        QVERIFY(index[0].dtype == DType::i32);
        QVERIFY(distance(index[0], {0, 1}) == 0);
    }

    void countsIgnoredRowsAsNoHits() {
        const Tensor logits(DType::f64, {4, 2}, {1, 0, 1, 0, 1, 0, 0, 1});
        const Attributes ignore = {{"ignore", std::int64_t{1}}};
        QCOMPARE(run_("accuracy", {logits, ids({0, 0, 1, 1})}, ignore)[0].at(0), 0.5);
        QCOMPARE(run_("count_valid", {ids({0, 0, 1, 1})}, ignore)[0].at(0), 2.0);
    }
};

std::unique_ptr<QObject> makeTestAccuracy() { return std::make_unique<TestAccuracy>(); }

#include "tst_accuracy.moc"
