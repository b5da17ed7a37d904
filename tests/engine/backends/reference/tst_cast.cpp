// SPDX-License-Identifier: Apache-2.0
// Numbers in another type: rounded to the nearest even, cut off towards zero for integers.
#include "engine/backends/reference/one_op.h"
#include "support/test_main.h"

#include <QTest>
#include <cmath>

using namespace weft;
using namespace weft::test;

class TestCast : public QObject {
    Q_OBJECT

private:
    OneOp run_;

    [[nodiscard]] Tensor castTo(const char* dtype, const Tensor& x) {
        return run_("cast", {x}, {{"dtype", std::string(dtype)}})[0];
    }
    [[nodiscard]] Tensor castBack(const Tensor& x) { return castTo("f64", x); }

private Q_SLOTS:
    void widensAndNarrowsFloats() {
        const Tensor x = row({0.1, -3, 1e300});
        QVERIFY(distance(castTo("f64", x), {0.1, -3, 1e300}) == 0);
        const Tensor narrow = castTo("f32", row({0.1, -3}));
        QVERIFY(narrow.dtype == DType::f32);
        QVERIFY(distance(narrow, {static_cast<double>(0.1F), -3}) == 0);
    }

    void cutsOffFractionsForIntegers() {
        QVERIFY(distance(castTo("i32", row({2.9, -2.9, 7})), {2, -2, 7}) == 0);
        QVERIFY(distance(castTo("i64", row({2.9, -2.9, 7})), {2, -2, 7}) == 0);
        QVERIFY(distance(castTo("u8", row({0, 200.7})), {0, 200}) == 0);
        QVERIFY(distance(castTo("f32", ids({5, -6}, DType::i32)), {5, -6}) == 0);
    }

    void roundsToTheNearestHalfPrecision() {
        // 1 + 2^-9 lies between the bf16 numbers 1 and 1 + 2^-7; 1 + 3 * 2^-9 is nearer to the
        // second
        const Tensor brain = castTo("bf16", row({1 + 1.0 / 512, 1 + 3.0 / 512}));
        QVERIFY(distance(castBack(brain), {1, 1 + 1.0 / 128}) == 0);
        const Tensor half = castTo("f16", row({1 + 1.0 / 4096, 65504, 0.1}));
        QVERIFY(distance(castBack(half), {1, 65504, 0.0999755859375}) == 0);
    }
};

std::unique_ptr<QObject> makeTestCast() { return std::make_unique<TestCast>(); }

#include "tst_cast.moc"
