// SPDX-License-Identifier: Apache-2.0
// The simulator and the executor are two ways through the same programs: on null devices they agree
// to the nanosecond, whatever the network, its spreading, order, streams and links.
#include "null_pool.h"

#include <QTest>
#include <algorithm>

using namespace weft;
using namespace weft::test;

namespace {

void addSeeds() {
    QTest::addColumn<quint64>("seed");
    for (quint64 seed = 1; seed <= 60; ++seed) {
        QTest::addRow("seed %llu", seed) << seed;
    }
}

} // namespace

class TestSimulate : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void agreesWithTheExecutorOnThreads_data() { addSeeds(); }
    void agreesWithTheExecutorOnThreads() {
        QFETCH(const quint64, seed);
        compare(seed, false);
    }

    void agreesWithTheExecutorOnOneThread_data() { addSeeds(); }
    void agreesWithTheExecutorOnOneThread() {
        QFETCH(const quint64, seed);
        compare(seed, true);
    }

    void streamsWaitForEachOther() {
        const Timeline timeline =
            simulateByHand(1, {{.stream = 0, .predicted = 10},
                               {.stream = 1, .predicted = 3},
                               {.stream = 1, .predicted = 4, .waits = {{0, 1}}},
                               {.stream = 0, .predicted = 1}});
        verify(timeline);
        QCOMPARE(timeline.length().count, std::int64_t{14});
        const auto third = std::ranges::find(timeline.spans, 2U, &TimelineSpan::site);
        QCOMPARE(third->begin.count, std::int64_t{10});
    }

    void aCollectiveEndsWhenTheLastHasComeAndTheDearestIsPaid() {
        const Timeline timeline = simulateByHand(
            2, {{.device = 0, .stream = 0, .predicted = 10},
                {.device = 0, .stream = 2, .predicted = 7, .waits = {{0, 1}}, .meetsAll = true},
                {.device = 1, .stream = 0, .predicted = 100},
                {.device = 1, .stream = 2, .predicted = 5, .waits = {{0, 1}}, .meetsAll = true}});
        QCOMPARE(timeline.length().count, std::int64_t{107});
        const std::vector<StepTotals> totals = totalsOf(timeline);
        QCOMPARE(totals[0].waiting.count, std::int64_t{90}); // for the other
        QCOMPARE(totals[0].communicate.count, std::int64_t{7});
        QCOMPARE(totals[1].waiting.count, std::int64_t{0});
        QCOMPARE(totals[1].communicate.count, std::int64_t{7});
    }

    void slowerLinksAreNeverFaster() {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            NullPlan made(seed);
            made.setOrder("sequential");
            made.setLinks(1);
            const Nanoseconds fast = NullPool(made, true).predicted().length();
            made.setLinks(10);
            const Nanoseconds slow = NullPool(made, true).predicted().length();
            QVERIFY2(made.communicates() ? slow >= fast : slow == fast,
                     qPrintable(QString("seed %1").arg(seed)));
        }
    }

private:
    static void compare(std::uint64_t seed, bool isStepped) {
        const NullPlan made(seed);
        NullPool pool(made, isStepped);
        const Timeline predicted = pool.predicted();
        verify(predicted);
        QVERIFY(predicted.length().count > 0);
        for (std::int64_t run = 0; run < 3; ++run) {
            pool.run();
            QVERIFY(pool.measured(run * predicted.length().count) == predicted);
        }
    }
};

std::unique_ptr<QObject> makeTestSimulate() { return std::make_unique<TestSimulate>(); }
#include "tst_simulate.moc"
