// SPDX-License-Identifier: Apache-2.0
// The dropped elements depend only on key, step and element.
#include "engine/backends/reference/one_op.h"
#include "support/test_main.h"

#include <QTest>
#include <cmath>

using namespace weft;
using namespace weft::test;

class TestDropout : public QObject {
    Q_OBJECT

private:
    OneOp run_;

    [[nodiscard]] Tensor dropped(std::int64_t at, std::uint64_t key, double rate = 0.25) {
        const Tensor ones(DType::f64, {40, 50}, std::vector<double>(2000, 1));
        RunOptions options;
        options.randomKey = key;
        return run_("dropout", {ones, step(at)}, {{"rate", rate}}, options)[0];
    }

private Q_SLOTS:
    void dropsAboutItsShareAndScalesTheRest() {
        int kept = 0;
        for (const double y : dropped(3, 17).numbers()) {
            QVERIFY(y == 0 || std::abs(y - 1 / 0.75) < 1e-15);
            kept += y > 0 ? 1 : 0;
        }
        // 2000 draws of 3/4: the deviation is 19.4
        QVERIFY2(std::abs(kept - 1500) < 80, qPrintable(QString::number(kept)));
    }

    void drawsTheSameForTheSameKeyAndStep() {
        QVERIFY(dropped(3, 17) == dropped(3, 17));
        QVERIFY(!(dropped(4, 17) == dropped(3, 17)));
        QVERIFY(!(dropped(3, 18) == dropped(3, 17)));
    }

    void dropsTheSameWhenAPartIsDrawnAlone() {
        const Tensor whole = dropped(3, 17);
        const Shape begin{7, 20};
        const Shape shape{5, 30};
        const TensorPart part{DType::f64, shape, begin, whole.shape, {}};
        const Tensor ones(DType::f64, shape, std::vector<double>(150, 1));
        RunOptions options;
        options.randomKey = 17;
        const auto at = run_.oracle().run("dropout", {{"rate", 0.25}}, {ones, step(3)},
                                          {part, wholePart(DType::i64, {})}, {part}, options);
        QVERIFY(at[0] == sliceOf(whole, begin, shape));
    }

    void keepsAllAtRateZero() {
        QVERIFY(distance(dropped(1, 1, 0.0), std::vector<double>(2000, 1)) == 0);
    }
};

std::unique_ptr<QObject> makeTestDropout() { return std::make_unique<TestDropout>(); }

#include "tst_dropout.moc"
