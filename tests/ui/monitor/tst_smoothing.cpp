// SPDX-License-Identifier: Apache-2.0
#include "curves.h"
#include "monitor/smoothing.h"
#include "support/test_main.h"

#include <QTest>
#include <cmath>

using namespace weft;
using namespace weft::ui;

class TestSmoothing : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aConstantStaysItself() {
        SeriesStore store;
        test::fill(store, "loss", Split::train, 100, [](std::size_t) { return 3.25; });
        SmoothedValues smoothed;
        smoothed.follow(*store.find("loss", Split::train), 0.9);
        for (std::size_t i = 0; i < 100; ++i) {
            QVERIFY(std::abs(smoothed.values().at(i) - 3.25) < 1e-12);
        }
    }

    void eachValueIsAMeanOfThoseBefore() {
        SeriesStore store;
        test::fill(store, "loss", Split::train, 3, [](std::size_t i) { return double(i); });
        SmoothedValues smoothed;
        smoothed.follow(*store.find("loss", Split::train), 0.5);
        QCOMPARE(smoothed.values().at(0), 0.0);
        QCOMPARE(smoothed.values().at(1), 0.5 / 0.75);
        QCOMPARE(smoothed.values().at(2), (0.25 + 1) / 0.875);
    }

    void whatIsNoNumberLeavesTheMeanAlone() {
        SeriesStore store;
        test::fill(store, "loss", Split::train, 5,
                   [](std::size_t i) { return i == 2 ? std::nan("") : 2.0; });
        SmoothedValues smoothed;
        smoothed.follow(*store.find("loss", Split::train), 0.8);
        QVERIFY(std::isnan(smoothed.values().at(2)));
        QVERIFY(std::abs(smoothed.values().at(4) - 2) < 1e-12);
    }

    void itGrowsAndGoesBackWithItsSeries() {
        SeriesStore store;
        const auto value = [](std::size_t i) { return std::sin(double(i)); };
        test::fill(store, "loss", Split::train, 50, value);
        const Series& series = *store.find("loss", Split::train);
        SmoothedValues grown;
        grown.follow(series, 0.7);
        test::fill(store, "loss", Split::train, 80, value); // begins again at step 0
        grown.follow(series, 0.7);
        SmoothedValues whole;
        whole.follow(series, 0.7);
        QCOMPARE(grown.values().size(), std::size_t{80});
        for (std::size_t i = 0; i < 80; ++i) {
            QCOMPARE(grown.values().at(i), whole.values().at(i));
        }
        grown.follow(series, 0);
        QCOMPARE(grown.values().at(33), value(33));
    }
};

std::unique_ptr<QObject> makeTestSmoothing() { return std::make_unique<TestSmoothing>(); }
#include "tst_smoothing.moc"
