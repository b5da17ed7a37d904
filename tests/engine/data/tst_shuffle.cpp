// SPDX-License-Identifier: Apache-2.0
#include "data/shuffle.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <vector>

namespace weft {

class TestShuffle : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void visitsEveryExampleOnce_data();
    void visitsEveryExampleOnce();
    void dependsOnSeedAndEpochAlone();
    void putsEveryExampleEverywhere();
};

void TestShuffle::visitsEveryExampleOnce_data() {
    QTest::addColumn<qint64>("size");
    for (const qint64 size : {1, 2, 3, 4, 5, 7, 16, 17, 100, 1000, 60000}) {
        QTest::addRow("%lld examples", static_cast<long long>(size)) << size;
    }
}

void TestShuffle::visitsEveryExampleOnce() {
    QFETCH(qint64, size);
    for (const std::int64_t epoch : {0, 1, 7}) {
        const Permutation order = shuffled(size, 42, epoch);
        std::vector<int> visits(static_cast<std::size_t>(size), 0);
        for (std::int64_t position = 0; position < size; ++position) {
            ++visits[static_cast<std::size_t>(order(position))];
        }
        QVERIFY(std::all_of(visits.begin(), visits.end(), [](int count) { return count == 1; }));
    }
}

void TestShuffle::dependsOnSeedAndEpochAlone() {
    const auto first = [](std::uint64_t seed, std::int64_t epoch) {
        const Permutation order = shuffled(1000, seed, epoch);
        std::vector<std::int64_t> examples;
        for (std::int64_t position = 0; position < 20; ++position) {
            examples.push_back(order(position));
        }
        return examples;
    };
    QCOMPARE(first(1, 0), first(1, 0));
    QVERIFY(first(1, 0) != first(1, 1));
    QVERIFY(first(1, 0) != first(2, 0));
}

void TestShuffle::putsEveryExampleEverywhere() {
    // Over many epochs each of n examples stands at each place in a share of 1/n: chi-squared with
    // (n-1)^2 degrees of freedom stays within 6 standard deviations.
    const int epochs = 6000;
    for (const std::int64_t size : {3, 5, 10, 21}) {
        const auto n = static_cast<std::size_t>(size);
        std::vector<double> counts(n * n, 0);
        for (int epoch = 0; epoch < epochs; ++epoch) {
            const Permutation order = shuffled(size, 7, epoch);
            for (std::int64_t position = 0; position < size; ++position) {
                counts[static_cast<std::size_t>(position * size + order(position))] += 1;
            }
        }
        const double expected = static_cast<double>(epochs) / static_cast<double>(size);
        double chiSquared = 0;
        for (const double count : counts) {
            chiSquared += (count - expected) * (count - expected) / expected;
        }
        const auto freedom = static_cast<double>((size - 1) * (size - 1));
        QVERIFY2(std::abs(chiSquared - freedom) < 6 * std::sqrt(2 * freedom),
                 qPrintable(QString("%1 for %2 degrees").arg(chiSquared).arg(freedom)));
    }
}

} // namespace weft

std::unique_ptr<QObject> makeTestShuffle() { return std::make_unique<weft::TestShuffle>(); }
#include "tst_shuffle.moc"
