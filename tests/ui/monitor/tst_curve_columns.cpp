// SPDX-License-Identifier: Apache-2.0
#include "curves.h"
#include "monitor/curve_columns.h"
#include "support/test_main.h"

#include <QTest>
#include <cmath>
#include <random>

using namespace weft;
using namespace weft::ui;

class TestCurveColumns : public QObject {
    Q_OBJECT

    static std::vector<CurveColumn> columns(const Series& series, const Range& xRange, int width,
                                            const Range& yRange, bool isLogX = false) {
        const Axis x(xRange, width, isLogX);
        return columnsOf(series, series.values(), XAxis::step,
                         RowBounds(series.rows(), XAxis::step, x), x, Axis(yRange, 100));
    }

private Q_SLOTS:
    void noNumberOfAMillionIsLeftOut_data() {
        QTest::addColumn<double>("from");
        QTest::addColumn<double>("to");
        QTest::newRow("all") << 0.0 << 999'999.0;
        QTest::newRow("a tenth") << 400'000.0 << 500'000.0;
        QTest::newRow("a thousand") << 450'000.0 << 451'000.0;
    }
    void noNumberOfAMillionIsLeftOut() {
        QFETCH(double, from);
        QFETCH(double, to);
        constexpr unsigned seed = 3;
        qInfo("seed %u", seed);
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> small(0.4, 0.6);
        SeriesStore store;
        test::fill(store, "loss", Split::train, 1'000'000, [&](std::size_t i) {
            return i % 33'333 == 450'111 % 33'333 ? (i % 2 == 0 ? 1.0 : 0.0) : small(random);
        });
        const Series& series = *store.find("loss", Split::train);
        const auto all = columns(series, {from, to}, 500, {0, 1});
        const Extremes there = extremesWithin(series, series.values(), XAxis::step, {from, to});
        float top = 1e9F;
        float bottom = -1e9F;
        for (const CurveColumn& column : all) {
            QVERIFY(!column.isEmpty());
            top = std::min(top, column.top);
            bottom = std::max(bottom, column.bottom);
        }
        QVERIFY(std::abs(double(top) - 100 * (1 - there.most)) < 1e-3);
        QVERIFY(std::abs(double(bottom) - 100 * (1 - there.least)) < 1e-3);
        for (std::size_t i = 0; i < series.size(); ++i) {
            const auto step = static_cast<double>(i);
            const double value = series.values().at(i);
            if (step < from || step > to || (value > 0.3 && value < 0.7)) {
                continue;
            }
            // A spike stands in its column or, for the sake of whole blocks, beside it.
            const auto near = static_cast<std::ptrdiff_t>((step - from) / (to - from) * 500);
            bool isThere = false;
            for (std::ptrdiff_t c = std::max<std::ptrdiff_t>(0, near - 1);
                 c <= std::min<std::ptrdiff_t>(499, near + 1); ++c) {
                const CurveColumn& column = all[static_cast<std::size_t>(c)];
                const auto y = static_cast<float>(100 * (1 - value));
                isThere = isThere || (column.top <= y + 1e-3F && column.bottom >= y - 1e-3F);
            }
            QVERIFY2(isThere, qPrintable(QString::number(i)));
        }
    }

    void fewPointsAreJoinedByStraightLines() {
        SeriesStore store;
        test::fill(store, "loss", Split::train, 3,
                   [](std::size_t i) { return i == 1 ? 1.0 : 0.0; });
        const auto all = columns(*store.find("loss", Split::train), {0, 2}, 100, {0, 1});
        for (std::size_t i = 0; i < 100; ++i) {
            QVERIFY(!all[i].isEmpty());
            const double at = i < 50 ? 100 - 2.0 * double(i) : 2.0 * (double(i) - 50);
            QVERIFY2(std::abs(double(all[i].top) - at) <= 2.01, qPrintable(QString::number(i)));
            if (i > 0) {
                QVERIFY(all[i].top <= all[i - 1].bottom && all[i].bottom >= all[i - 1].top);
            }
        }
    }

    void whatIsNoNumberIsAGapWithAMark() {
        SeriesStore store;
        test::fill(store, "loss", Split::train, 101,
                   [](std::size_t i) { return i > 40 && i < 60 ? std::nan("") : 0.5; });
        const auto all = columns(*store.find("loss", Split::train), {0, 100}, 100, {0, 1});
        QVERIFY(all[50].isEmpty() && all[50].hasGap);
        QVERIFY(!all[20].isEmpty() && !all[20].hasGap);
        QVERIFY(!all[80].isEmpty());
    }

    void theLineGoesOnBeyondWhatIsSeen() {
        SeriesStore store;
        test::fill(
            store, "loss", Split::train, 2, [](std::size_t i) { return double(i); }, 1000);
        const auto all = columns(*store.find("loss", Split::train), {400, 600}, 50, {0, 1});
        QVERIFY(!all[0].isEmpty() && !all[49].isEmpty());
        QVERIFY(std::abs(all[25].top - 50) < 1);
    }

    void aLogarithmicAxisHasThemAll() {
        SeriesStore store;
        test::fill(store, "loss", Split::train, 10'000,
                   [](std::size_t i) { return 1.0 / double(i + 1); });
        const auto all = columns(*store.find("loss", Split::train), {1, 9999}, 300, {0, 1}, true);
        for (const CurveColumn& column : all) {
            QVERIFY(!column.isEmpty());
        }
    }

    void columnsAreWrittenIntoTheImage() {
        QImage image(3, 10, QImage::Format_RGB32);
        image.fill(Qt::black);
        CurveColumn one;
        one.add(2);
        one.add(5.5);
        CurveColumn outside;
        outside.add(-40);
        ColumnCanvas canvas(image);
        canvas.drawCurve({one, outside, {}}, qRgb(255, 255, 255));
        canvas.finish();
        QCOMPARE(qRed(image.pixel(0, 1)), 0);
        QCOMPARE(qRed(image.pixel(0, 2)), 255);
        QCOMPARE(qRed(image.pixel(0, 4)), 255);
        QVERIFY(qRed(image.pixel(0, 5)) > 100 && qRed(image.pixel(0, 5)) < 150);
        QCOMPARE(qRed(image.pixel(0, 6)), 0);
        for (int y = 0; y < 10; ++y) {
            QCOMPARE(qRed(image.pixel(1, y)) + qRed(image.pixel(2, y)), 0);
        }
    }
};

std::unique_ptr<QObject> makeTestCurveColumns() { return std::make_unique<TestCurveColumns>(); }
#include "tst_curve_columns.moc"
