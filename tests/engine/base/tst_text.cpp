// SPDX-License-Identifier: Apache-2.0
#include "base/text/text.h"
#include "support/bug.h"

#include <QTest>
#include <cmath>
#include <limits>
#include <memory>

using namespace weft;

class TestText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void durations_data() {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("clock");
        QTest::newRow("zero") << 0.0 << "0 ns"
                              << "0:00";
        QTest::newRow("milliseconds") << 0.85 << "850 ms"
                                      << "0:01";
        QTest::newRow("seconds") << 12.34 << "12.3 s"
                                 << "0:12";
        QTest::newRow("almost a minute") << 59.97 << "1 min 00 s"
                                         << "1:00";
        QTest::newRow("minutes") << 125.0 << "2 min 05 s"
                                 << "2:05";
        QTest::newRow("hours") << 11520.0 << "3 h 12 min"
                               << "3:12:00";
        QTest::newRow("days") << 187200.0 << "2 d 4 h"
                              << "52:00:00";
        QTest::newRow("unknown") << std::numeric_limits<double>::infinity() << "unknown"
                                 << "-:--";
    }
    void durations() {
        QFETCH(double, seconds);
        QFETCH(QString, text);
        QFETCH(QString, clock);
        QCOMPARE(QString::fromStdString(durationText(seconds)), text);
        QCOMPARE(QString::fromStdString(clockText(seconds)), clock);
    }

    void countsHaveCommas() {
        QCOMPARE(countText(0), std::string("0"));
        QCOMPARE(countText(999), std::string("999"));
        QCOMPARE(countText(1234567), std::string("1,234,567"));
        QCOMPARE(countText(-123456), std::string("-123,456"));
    }

    void timesAreInUtc() { QCOMPARE(timestampText(86400), std::string("1970-01-02T00:00:00Z")); }

    void textsAreCutBetweenLetters() {
        QVERIFY(firstColumns("abc", 2) == "ab");
        QVERIFY(firstColumns("abc", 5) == "abc");
        QVERIFY(firstColumns("b\xc3\xa9ta", 2) == "b\xc3\xa9");
        QVERIFY(firstColumns("b\xc3\xa9ta", 1) == "b");
        QVERIFY(firstColumns("abc", 0).empty());
    }

    void columnsLineUp() {
        TextTable table({{"layer"}, {"bytes", Align::right}});
        table.addRow({"conv1", "9 B"});
        table.addRow({"b\xc3\xa9ta", "1.20 MB"});
        table.addRow({"x"});
        QCOMPARE(table.text(), std::string("layer    bytes\n"
                                           "conv1      9 B\n"
                                           "b\xc3\xa9ta   1.20 MB\n"
                                           "x\n"));
        QVERIFY(test::isBug([&] { table.addRow({"a", "b", "c"}); }));
        TextTable bare({{""}, {""}});
        bare.addRow({"a", "b"});
        QCOMPARE(bare.text(), std::string("a  b\n"));
    }
};

std::unique_ptr<QObject> makeTestText() { return std::make_unique<TestText>(); }
#include "tst_text.moc"
