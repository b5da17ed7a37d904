// SPDX-License-Identifier: Apache-2.0
#include "events/rank_clock.h"

#include <QTest>
#include <memory>
#include <random>

using namespace weft;

class TestRankClock : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isAsItIsWhereNothingWasMeasured() {
        const RankClock clock;
        QCOMPARE(clock.toRank0(17), 17);
        QCOMPARE(clock.error().count, 0);
    }

    void aMeasureHoldsUntilTheNext() {
        RankClock clock;
        clock.add(100, {1000}, {5});
        clock.add(200, {1010}, {9});
        clock.add(300, {1013}, {2});
        QCOMPARE(clock.toRank0(-50), 950); // the first holds before its time too
        QCOMPARE(clock.toRank0(100), 1100);
        QCOMPARE(clock.toRank0(199), 1199);
        QCOMPARE(clock.toRank0(200), 1210);
        QCOMPARE(clock.toRank0(1000), 2013);
        QCOMPARE(clock.error().count, 9);
    }

    void timeStandsStillRatherThanGoBack() {
        RankClock clock;
        clock.add(0, {0}, {1});
        clock.add(100, {-30}, {1});
        QCOMPARE(clock.toRank0(99), 99);
        QCOMPARE(clock.toRank0(100), 100);
        QCOMPARE(clock.toRank0(129), 100);
        QCOMPARE(clock.toRank0(140), 110);
    }

    void whatFollowedStillFollows() {
        std::mt19937 draw(7); // NOLINT(cert-msc51-cpp): the same clocks each time
        RankClock clock;
        for (std::int64_t time = 0; time < 10'000;
             time += 1 + static_cast<std::int64_t>(draw() % 200)) {
            clock.add(time, {static_cast<std::int64_t>(draw() % 400)}, {1});
        }
        for (std::int64_t time = -10; time < 11'000; ++time) {
            QVERIFY(clock.toRank0(time) <= clock.toRank0(time + 1));
        }
    }
};

std::unique_ptr<QObject> makeTestRankClock() { return std::make_unique<TestRankClock>(); }
#include "tst_rank_clock.moc"
