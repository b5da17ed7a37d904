// SPDX-License-Identifier: Apache-2.0
#include "runs/number_column.h"
#include "support/test_main.h"

#include <QTest>
#include <cmath>
#include <random>

using namespace weft::ui;

class TestNumberColumn : public QObject {
    Q_OBJECT

    static Extremes plainly(const NumberColumn& column, std::size_t first, std::size_t last) {
        Extremes sum;
        for (std::size_t i = first; i < last; ++i) {
            sum.add(column.at(i));
        }
        return sum;
    }

private Q_SLOTS:
    void extremesOfAnyStretchAreThoseOfItsNumbers() {
        constexpr unsigned seed = 7;
        qInfo("seed %u", seed);
        std::mt19937 random(seed);
        std::normal_distribution<double> number;
        NumberColumn column;
        for (int i = 0; i < 5000; ++i) {
            column.append(random() % 50 == 0 ? std::nan("") : number(random));
            if (i % 977 == 0) {
                QVERIFY(column.extremes(0, column.size()) == plainly(column, 0, column.size()));
            }
        }
        for (int turn = 0; turn < 2000; ++turn) {
            const std::size_t a = random() % column.size();
            const std::size_t b = a + random() % (column.size() - a + 1);
            QVERIFY(column.extremes(a, b) == plainly(column, a, b));
        }
    }

    void oneSpikeAmongAMillionIsFound() {
        NumberColumn column;
        for (int i = 0; i < 1'000'000; ++i) {
            column.append(i == 765'432 ? 9 : 1);
        }
        QCOMPARE(column.extremes(0, 1'000'000).most, 9.0);
        QCOMPARE(column.extremes(0, 765'432).most, 1.0);
        QCOMPARE(column.extremes(765'433, 1'000'000).most, 1.0);
    }

    void whatIsCutOffIsForgotten() {
        for (const std::size_t count : {0, 1, 15, 16, 17, 64, 100, 1024, 4999}) {
            NumberColumn column;
            for (int i = 0; i < 5000; ++i) {
                column.append(i);
            }
            column.truncate(count);
            QCOMPARE(column.size(), count);
            QVERIFY(column.extremes(0, count) == plainly(column, 0, count));
            for (int i = 0; i < 3000; ++i) {
                column.append(-i);
            }
            QVERIFY(column.extremes(0, column.size()) == plainly(column, 0, column.size()));
            QVERIFY(column.extremes(count, column.size()) == plainly(column, count, column.size()));
        }
    }

    void notFiniteNumbersAreGapsAndNoExtremes() {
        NumberColumn column;
        for (const double number : {1.0, std::nan(""), HUGE_VAL, -2.0}) {
            column.append(number);
        }
        const Extremes all = column.extremes(0, 4);
        QCOMPARE(all.least, -2.0);
        QCOMPARE(all.most, 1.0);
        QVERIFY(all.hasGap);
        QVERIFY(column.extremes(1, 3).isEmpty());
        QVERIFY(!column.extremes(0, 1).hasGap);
    }

    void blocksFitIntoTheLengthAskedFor() {
        QCOMPARE(NumberColumn::largestBlockWithin(15), std::size_t{1});
        QCOMPARE(NumberColumn::largestBlockWithin(16), std::size_t{16});
        QCOMPARE(NumberColumn::largestBlockWithin(63), std::size_t{16});
        QCOMPARE(NumberColumn::largestBlockWithin(64), std::size_t{64});
    }
};

std::unique_ptr<QObject> makeTestNumberColumn() { return std::make_unique<TestNumberColumn>(); }
#include "tst_number_column.moc"
