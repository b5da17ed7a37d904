// SPDX-License-Identifier: Apache-2.0
// The divisor of a window's sum.
#include "engine/backends/reference/one_op.h"
#include "support/test_main.h"

#include <QTest>

using namespace weft;
using namespace weft::test;

namespace {

using List = std::vector<std::int64_t>;

Tensor inARow(const std::vector<double>& numbers) {
    return {DType::f64, {1, 1, 1, static_cast<std::int64_t>(numbers.size())}, numbers};
}

} // namespace

class TestAveragePool2d : public QObject {
    Q_OBJECT

    OneOp run_;

private Q_SLOTS:
    void countsPaddingWhereAskedTo() {
        Attributes attributes{{"kernel", List{1, 2}}, {"padding", List{0, 1, 0, 1}}};
        QVERIFY(distance(run_("average_pool2d", {inARow({4, 6})}, attributes)[0], {2, 5, 3}) == 0);
        attributes.set("count_include_pad", false);
        QVERIFY(distance(run_("average_pool2d", {inARow({4, 6})}, attributes)[0], {4, 5, 6}) == 0);
    }

    void countsNothingBeyondThePadding() {
        // The last window holds 4, one padding and one position beyond it.
        const Attributes attributes{{"kernel", List{1, 3}},
                                    {"stride", List{1, 2}},
                                    {"padding", List{0, 1, 0, 1}},
                                    {"ceil", true}};
        QVERIFY(distance(run_("average_pool2d", {inARow({1, 2, 3, 4})}, attributes)[0], {1, 3, 2}) <
                1e-15);
    }

    void averagesAWholeMap() {
        const Tensor x(DType::f64, {1, 2, 1, 2}, {1, 3, 5, 9});
        QVERIFY(distance(run_("global_average_pool", {x})[0], {2, 7}) == 0);
        const Tensor dy(DType::f64, {1, 2}, {2, 6});
        QVERIFY(distance(run_("global_average_pool_gradient", {dy}, {{"size", List{1, 2}}})[0],
                         {1, 1, 3, 3}) == 0);
    }
};

std::unique_ptr<QObject> makeTestAveragePool2d() { return std::make_unique<TestAveragePool2d>(); }

#include "tst_average_pool2d.moc"
