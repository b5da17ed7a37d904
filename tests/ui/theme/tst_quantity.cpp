// SPDX-License-Identifier: Apache-2.0
#include "support/test_main.h"
#include "theme/quantity.h"

#include <QLocale>
#include <QTest>

using namespace weft::ui;

class TestQuantity : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void bytesHaveThreeDigits_data() {
        QTest::addColumn<double>("bytes");
        QTest::addColumn<QString>("text");
        QTest::newRow("none") << 0.0 << "0\u202FB";
        QTest::newRow("few") << 999.0 << "999\u202FB";
        QTest::newRow("kilo") << 1000.0 << "1.00\u202FkB";
        QTest::newRow("mega") << 6.29e6 << "6.29\u202FMB";
        QTest::newRow("rounds up to the next unit") << 999.7e3 << "1.00\u202FMB";
        QTest::newRow("hundreds") << 958.4e6 << "958\u202FMB";
        QTest::newRow("rounds up to the next digit") << 9.996e6 << "10.0\u202FMB";
        QTest::newRow("less") << -2.5e6 << "−2.50\u202FMB";
    }
    void bytesHaveThreeDigits() {
        QFETCH(double, bytes);
        QFETCH(QString, text);
        QCOMPARE(quantity::bytes(bytes), text);
    }

    void aBandSaysItsUnitOnce() {
        QCOMPARE(quantity::timeBand(44e-3, 51.2e-3), QStringLiteral("44.0–51.2\u202Fms"));
        QCOMPARE(quantity::timeBand(0.9e-3, 1.2e-3), QStringLiteral("900\u202Fµs–1.20\u202Fms"));
        QCOMPARE(quantity::timeBand(95, 163),
                 QStringLiteral("1\u202Fmin 35\u202Fs–2\u202Fmin 43\u202Fs"));
    }

    void timesHaveTheUnitPeopleUse_data() {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<QString>("text");
        QTest::newRow("micro") << 12.34e-6 << "12.3\u202Fµs";
        QTest::newRow("milli") << 0.57e-3 << "570\u202Fµs";
        QTest::newRow("more") << 48.14e-3 << "48.1\u202Fms";
        QTest::newRow("second") << 1.0 << "1.00\u202Fs";
        QTest::newRow("just under") << 89.94 << "89.9\u202Fs";
        QTest::newRow("minutes") << 163.0 << "2\u202Fmin 43\u202Fs";
        QTest::newRow("hours") << 5520.0 << "1\u202Fh 32\u202Fmin";
    }
    void timesHaveTheUnitPeopleUse() {
        QFETCH(double, seconds);
        QFETCH(QString, text);
        QCOMPARE(quantity::time(seconds), text);
    }

    void countsAreWholeUntilTheyAreLarge() {
        QCOMPARE(quantity::count(9999), QString("9999"));
        QCOMPARE(quantity::count(16612), QString("16\u2009612"));
        QCOMPARE(quantity::count(61.1e6), QString("61.1\u202FM"));
    }

    void percentHasADecimalUnderTen() {
        QCOMPARE(quantity::percent(0.014), QString("1.4\u202F%"));
        QCOMPARE(quantity::percent(0.12), QString("12\u202F%"));
        QCOMPARE(quantity::signedPercent(0.12), QString("+12\u202F%"));
        QCOMPARE(quantity::signedPercent(-0.031), QString("−3.1\u202F%"));
    }

    void shapesReadAsOnNodesAndInText() {
        QCOMPARE(quantity::shape({512, 192, 27, 27}), QString("512×192×27×27"));
        QCOMPARE(quantity::shapeInText({512, 9216}), QString("[512, 9216]"));
    }
};

std::unique_ptr<QObject> makeTestQuantity() { return std::make_unique<TestQuantity>(); }

#include "tst_quantity.moc"
