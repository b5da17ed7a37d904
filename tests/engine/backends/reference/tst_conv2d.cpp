// SPDX-License-Identifier: Apache-2.0
// The definition of a convolution: the kernel is not flipped; padding is top, left, bottom, right.
#include "engine/backends/reference/one_op.h"
#include "support/test_main.h"

#include <QTest>

using namespace weft;
using namespace weft::test;

namespace {

using List = std::vector<std::int64_t>;

Tensor nine() { return {DType::f64, {1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}}; }
Tensor four() { return {DType::f64, {1, 1, 2, 2}, {1, 2, 3, 4}}; }

} // namespace

class TestConv2d : public QObject {
    Q_OBJECT

    OneOp run_;

private Q_SLOTS:
    void slidesTheKernelAsItIs() {
        QVERIFY(distance(run_("conv2d", {nine(), four()})[0], {37, 47, 67, 77}) == 0);
    }

    void padsEachSideByItsOwnNumber() {
        const auto y = run_("conv2d", {nine(), four()}, {{"padding", List{1, 0, 0, 1}}});
        QCOMPARE(y[0].shape, (Shape{1, 1, 3, 3}));
        QVERIFY(distance(y[0], {11, 18, 9, 37, 47, 21, 67, 77, 33}) == 0);
    }

    void stepsByRowsThenColumns() {
        const auto y = run_("conv2d", {nine(), four()}, {{"stride", List{1, 2}}});
        QCOMPARE(y[0].shape, (Shape{1, 1, 2, 1}));
        QVERIFY(distance(y[0], {37, 67}) == 0);
    }

    void spreadsItsTapsByTheDilation() {
        const auto y = run_("conv2d", {nine(), four()}, {{"dilation", List{2, 2}}});
        QVERIFY(distance(y[0], {64}) == 0);
    }

    void keepsGroupsApart() {
        const Tensor x(DType::f64, {1, 2, 1, 1}, {2, 3});
        const Tensor w(DType::f64, {2, 1, 1, 1}, {5, 7});
        const auto y = run_("conv2d", {x, w}, {{"groups", std::int64_t{2}}});
        QVERIFY(distance(y[0], {10, 21}) == 0);
    }

    void padsAPartOnlyWhereTheWholeEnds() {
        // The lower two rows of the whole, with the row above them that their windows read.
        const Tensor ones(DType::f64, {1, 1, 3, 3}, std::vector<double>(9, 1));
        const TensorPart x{DType::f64, {1, 1, 3, 3}, {0, 0, 1, 0}, {1, 1, 4, 3}, {}};
        const TensorPart y{DType::f64, {1, 1, 2, 3}, {0, 0, 2, 0}, {1, 1, 4, 3}, {}};
        const Attributes attributes{{"padding", List{1, 1, 1, 1}},
                                    {"stride", List{1, 1}},
                                    {"dilation", List{1, 1}},
                                    {"groups", std::int64_t{1}}};
        const auto part = run_.oracle().run("conv2d", attributes, {ones, ones},
                                            {x, wholePart(DType::f64, {1, 1, 3, 3})}, {y});
        QVERIFY(distance(part[0], {6, 9, 6, 4, 6, 4}) == 0);
    }
};

std::unique_ptr<QObject> makeTestConv2d() { return std::make_unique<TestConv2d>(); }

#include "tst_conv2d.moc"
