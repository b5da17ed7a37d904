// SPDX-License-Identifier: Apache-2.0
// The keys that a query attends to, on the whole and on a part, and the order of heads among
// features.
#include "engine/backends/reference/one_op.h"
#include "support/test_main.h"

#include <QTest>
#include <cmath>

using namespace weft;
using namespace weft::test;

namespace {

Tensor line(const std::vector<double>& numbers) {
    return {DType::f64, {1, 1, static_cast<std::int64_t>(numbers.size()), 1}, numbers};
}

} // namespace

class TestAttention : public QObject {
    Q_OBJECT

    OneOp run_;

private Q_SLOTS:
    void weighsValuesByTheSoftmaxOfTheScores() {
        const auto made = run_("attention", {line({2}), line({0, std::log(3.0)}), line({4, 8})},
                               {{"scale", 0.5}});
        QVERIFY(distance(made[0], {7}) < 1e-14);
        QVERIFY(distance(made[1], {std::log(4.0)}) < 1e-14);
    }

    void seesNoLaterKeyWhereCausal() {
        const auto made =
            run_("attention", {line({0, 0}), line({1, 2}), line({2, 4})}, {{"causal", true}});
        QVERIFY(distance(made[0], {2, 3}) < 1e-14);
        QVERIFY(distance(made[1], {0, std::log(2.0)}) < 1e-14);
    }

    void countsQueriesOfTheWholeOnAPart() {
        const Attributes causal{{"causal", true}, {"scale", 1.0}};
        const TensorPart keys = wholePart(DType::f64, {1, 1, 2, 1});
        const TensorPart second{DType::f64, {1, 1, 1, 1}, {0, 0, 1, 0}, {1, 1, 2, 1}, {}};
        const TensorPart lse{DType::f64, {1, 1, 1}, {0, 0, 1}, {1, 1, 2}, {}};
        const auto made =
            run_.oracle().run("attention", causal, {line({0}), line({1, 2}), line({2, 4})},
                              {second, keys, keys}, {second, lse});
        QVERIFY(distance(made[0], {3}) < 1e-14);
    }

    void takesHeadsFromNeighbouringFeatures() {
        const Tensor x(DType::f64, {1, 2, 4}, {0, 1, 2, 3, 4, 5, 6, 7});
        const auto apart = run_("heads_apart", {x}, {{"heads", std::int64_t{2}}});
        QVERIFY(distance(apart[0], {0, 1, 4, 5, 2, 3, 6, 7}) == 0);
        QVERIFY(run_("heads_together", apart)[0] == x);
    }
};

std::unique_ptr<QObject> makeTestAttention() { return std::make_unique<TestAttention>(); }

#include "tst_attention.moc"
