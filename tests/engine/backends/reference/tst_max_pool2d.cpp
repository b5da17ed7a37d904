// SPDX-License-Identifier: Apache-2.0
// Which of equal maxima counts, what becomes of NaN, how many windows there are.
#include "engine/backends/reference/one_op.h"
#include "support/test_main.h"

#include <QTest>
#include <cmath>
#include <limits>

using namespace weft;
using namespace weft::test;

namespace {

using List = std::vector<std::int64_t>;

} // namespace

class TestMaxPool2d : public QObject {
    Q_OBJECT

    OneOp run_;

private Q_SLOTS:
    void remembersTheFirstOfEqualMaxima() {
        const Tensor x(DType::f64, {1, 1, 3, 3}, {1, 5, 5, 2, 5, 0, 9, 9, 9});
        const auto made = run_("max_pool2d", {x}, {{"kernel", List{2, 2}}});
        QVERIFY(distance(made[0], {5, 5, 9, 9}) == 0);
        QCOMPARE(made[1].dtype, DType::u8);
        QVERIFY(distance(made[1], {1, 0, 2, 2}) == 0);
    }

    void losesNoNaN() {
        const double none = std::numeric_limits<double>::quiet_NaN();
        const Tensor x(DType::f64, {1, 1, 1, 3}, {1, none, 2});
        const auto made = run_("max_pool2d", {x}, {{"kernel", List{1, 2}}});
        QVERIFY(std::isnan(made[0].at(0)) && std::isnan(made[0].at(1)));
        QVERIFY(distance(made[1], {1, 0}) == 0);
    }

    void letsALastWindowReachBeyondTheEnd() {
        const Tensor x(DType::f64, {1, 1, 1, 5}, {1, 2, 3, 4, 5});
        Attributes attributes{{"kernel", List{1, 2}}, {"stride", List{1, 2}}};
        QVERIFY(distance(run_("max_pool2d", {x}, attributes)[0], {2, 4}) == 0);
        attributes.set("ceil", true);
        QVERIFY(distance(run_("max_pool2d", {x}, attributes)[0], {2, 4, 5}) == 0);
    }

    void neverLetsPaddingWin() {
        const Tensor x(DType::f64, {1, 1, 1, 2}, {-3, -4});
        const auto made =
            run_("max_pool2d", {x}, {{"kernel", List{1, 2}}, {"padding", List{0, 1, 0, 1}}});
        QVERIFY(distance(made[0], {-3, -3, -4}) == 0);
    }

    void countsThePlacesOfWindowsOfMoreThan256InI32() {
        Tensor x(DType::f64, {1, 1, 17, 16}, std::vector<double>(272, 0));
        x.set(271, 3);
        const Attributes pool{{"kernel", List{17, 16}}};
        const auto made = run_("max_pool2d", {x}, pool);
        QCOMPARE(made[1].dtype, DType::i32);
        QVERIFY(distance(made[1], {271}) == 0);
    }

    void addsTheGradientsOfWindowsThatShareAMaximum() {
        const Tensor position(DType::u8, {1, 1, 1, 2}, {1, 0});
        const Tensor dy(DType::f64, {1, 1, 1, 2}, {2, 5});
        const auto dx = run_("max_pool2d_gradient", {position, dy},
                             {{"kernel", List{1, 2}}, {"size", List{1, 3}}});
        QVERIFY(distance(dx[0], {0, 7, 0}) == 0);
    }
};

std::unique_ptr<QObject> makeTestMaxPool2d() { return std::make_unique<TestMaxPool2d>(); }

#include "tst_max_pool2d.moc"
