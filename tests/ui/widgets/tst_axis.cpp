// SPDX-License-Identifier: Apache-2.0
#include "support/test_main.h"
#include "widgets/axis.h"

#include <QLocale>
#include <QTest>
#include <cmath>

using namespace weft::ui;

class TestAxis : public QObject {
    Q_OBJECT

    static QString textOf(const std::vector<Tick>& ticks) {
        QStringList texts;
        for (const Tick& tick : ticks) {
            texts << QString(tick.text).replace(QChar(0x202F), '_').replace(QChar(0x2212), '-');
        }
        return texts.join(' ');
    }

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void pixelsAndValuesAreEachOthersInverse_data() {
        QTest::addColumn<double>("least");
        QTest::addColumn<double>("most");
        QTest::addColumn<bool>("isLog");
        QTest::newRow("even") << 2.0 << 10.0 << false;
        QTest::newRow("negative") << -5.0 << 5.0 << false;
        QTest::newRow("tiny") << 1e-9 << 2e-9 << false;
        QTest::newRow("log") << 0.01 << 100.0 << true;
        QTest::newRow("log of one decade") << 1.0 << 9.0 << true;
    }
    void pixelsAndValuesAreEachOthersInverse() {
        QFETCH(double, least);
        QFETCH(double, most);
        QFETCH(bool, isLog);
        const Axis axis({least, most}, 640, isLog);
        QVERIFY(std::abs(axis.toPixel(least)) < 1e-6);
        QVERIFY(std::abs(axis.toPixel(most) - 640) < 1e-6);
        for (const double pixel : {0.0, 1.0, 123.4, 640.0}) {
            QVERIFY(std::abs(axis.toPixel(axis.toValue(pixel)) - pixel) < 1e-6);
        }
    }

    void zoomingKeepsWhatIsUnderThePointer() {
        for (const bool isLog : {false, true}) {
            const Axis axis({1, 1000}, 500, isLog);
            const double under = axis.toValue(200);
            const Axis zoomed(axis.zoomed(200, 0.5), 500, isLog);
            QVERIFY(std::abs(zoomed.toPixel(under) - 200) < 1e-6);
            const Axis moved(axis.moved(50), 500, isLog);
            QVERIFY(std::abs(moved.toPixel(axis.toValue(50))) < 1e-6);
        }
    }

    void ticksAreRoundAndFew_data() {
        QTest::addColumn<double>("least");
        QTest::addColumn<double>("most");
        QTest::addColumn<bool>("isLog");
        QTest::addColumn<QString>("texts");
        QTest::newRow("steps") << 0.0 << 20000.0 << false << "0 5000 10_k 15_k 20_k";
        QTest::newRow("loss") << 2.0 << 7.0 << false << "2 3 4 5 6 7";
        QTest::newRow("small") << 0.0 << 0.01 << false << "0.000 0.002 0.004 0.006 0.008 0.010";
        QTest::newRow("across zero") << -1.0 << 1.0 << false << "-1.0 -0.5 0 0.5 1.0";
        QTest::newRow("log") << 1.0 << 50.0 << true << "1 2 5 10 20 50";
        QTest::newRow("log, many decades") << 1e-3 << 1e3 << true << "0.001 0.1 10 1000";
        QTest::newRow("large") << 0.0 << 4e15 << false << "0 1_P 2_P 3_P 4_P";
        QTest::newRow("about a large one")
            << 9e14 << 1.1e15 << false << "900_T 950_T 1.00_P 1.05_P 1.10_P";
        QTest::newRow("tiny") << 0.0 << 4e-12 << false << "0 1e-12 2e-12 3e-12 4e-12";
        QTest::newRow("huge") << 0.0 << 4e21 << false << "0 1e21 2e21 3e21 4e21";
        QTest::newRow("a stretch far out")
            << 212280828.0 << 212280832.0 << false << "≈ 212_M +1 +2 +3 +4";
        QTest::newRow("log within a decade") << 2.1 << 2.6 << true << "2.1 2.2 2.3 2.4 2.5 2.6";
    }
    void ticksAreRoundAndFew() {
        QFETCH(double, least);
        QFETCH(double, most);
        QFETCH(bool, isLog);
        QFETCH(QString, texts);
        const std::vector<Tick> ticks = ticksOf({least, most}, isLog);
        QVERIFY(ticks.size() <= 6);
        for (const Tick& tick : ticks) {
            QVERIFY(tick.value >= least * (1 - 1e-9) - 1e-9 && tick.value <= most * (1 + 1e-9));
        }
        QString said = textOf(ticks);
        if (least == 0 && said.startsWith("0 ") && texts.startsWith("0.000")) {
            texts.replace(0, 5, "0");
        }
        QCOMPARE(said, texts);
    }

    void anyRangeHasTicksOrNone() {
        for (const double least : {-1e9, -1.0, 0.0, 1e-9, 3.3}) {
            for (const double length : {1e-9, 1e-3, 1.0, 1e12}) {
                for (const bool isLog : {false, true}) {
                    QVERIFY(ticksOf({least, least + length}, isLog).size() <= 6);
                }
            }
        }
        QVERIFY(ticksOf({1, 1}, false).empty());
        QVERIFY(ticksOf({0, std::nan("")}, false).empty());
    }

    void timesHaveTheUnitThatFits() {
        QCOMPARE(textOf(timeTicksOf({0, 0.05}, 6)), QString("0_ms 10 20 30 40 50"));
        QCOMPARE(textOf(timeTicksOf({0, 4e-6}, 6)), QString("0_µs 1 2 3 4"));
        QCOMPARE(textOf(timeTicksOf({1, 3}, 3)), QString("1_s 2 3"));
        QCOMPARE(textOf(timeTicksOf({3, 3 + 4.5e-9}, 6)),
                 QString("≈ 3.00_s +1_ns +2_ns +3_ns +4_ns"));
    }

    /// As much as stands left of a plot has room for.
    void noTextIsLongerThanItsRoom() {
        for (const double least :
             {-1e15, -3.0, 0.0, 1e-12, 0.0951, 1.0, 123456.0, 212280828.25, 1e15, 3e20}) {
            for (const double length : {1e-12, 1e-6, 0.01, 1.0, 3e4, 1e9, 1e15}) {
                for (const bool isLog : {false, true}) {
                    if (!(least + length > least)) {
                        continue; // there are no numbers in between
                    }
                    QStringList texts;
                    for (const Tick& tick : ticksOf({least, least + length}, isLog)) {
                        QVERIFY2(tick.text.size() <= 10, qPrintable(tick.text));
                        QVERIFY2(!texts.contains(tick.text), qPrintable(tick.text));
                        texts << tick.text;
                    }
                }
            }
        }
    }

    void aRangeIsNeverEmpty() {
        for (const bool isLog : {false, true}) {
            for (const Range data :
                 {Range{1, 1}, Range{0, 0}, Range{1, 0}, Range{-3, 5}, Range{0, 1e-300}}) {
                const Range range = roomyRange(data, isLog);
                QVERIFY(range.length() > 0);
                QVERIFY(!isLog || range.least > 0);
            }
        }
        QCOMPARE(roomyRange({0, 10}, false).least, 0.0);
    }
};

std::unique_ptr<QObject> makeTestAxis() { return std::make_unique<TestAxis>(); }
#include "tst_axis.moc"
