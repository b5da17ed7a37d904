// SPDX-License-Identifier: Apache-2.0
// Rows of a table, and ids that are none.
#include "engine/backends/reference/one_op.h"
#include "support/test_main.h"

#include <QTest>
#include <cmath>

using namespace weft;
using namespace weft::test;

class TestEmbedding : public QObject {
    Q_OBJECT

private:
    OneOp run_;

private Q_SLOTS:
    void looksUpRows() {
        const Tensor table(DType::f64, {3, 2}, {1, 2, 3, 4, 5, 6});
        const auto at = run_("embedding", {ids({2, 0}), table});
        QVERIFY(distance(at[0], {5, 6, 1, 2}) == 0);
    }

    void isNotANumberForIdsThatAreNoRow() {
        const Tensor table(DType::f64, {3, 2}, {1, 2, 3, 4, 5, 6});
        const auto at = run_("embedding", {ids({3, -1, 1}), table});
        QVERIFY(std::isnan(at[0].at(0)) && std::isnan(at[0].at(3)));
        QCOMPARE(at[0].at(5), 4.0);
    }

    void sumsTheGradientsOfRepeatedIds() {
        const Tensor dy(DType::f64, {3, 1}, {1, 10, 100});
        const auto at =
            run_("embedding_gradient", {ids({1, 0, 1}), dy}, {{"rows", std::int64_t{3}}});
        QVERIFY(distance(at[0], {10, 101, 0}) == 0);
    }
};

std::unique_ptr<QObject> makeTestEmbedding() { return std::make_unique<TestEmbedding>(); }

#include "tst_embedding.moc"
