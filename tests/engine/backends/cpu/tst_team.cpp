// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/team.h"

#include <QTest>
#include <vector>

using namespace weft::cpu;

class TestTeam : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void partsCoverEverythingOnce_data() {
        QTest::addColumn<qint64>("n");
        QTest::addColumn<int>("parts");
        QTest::addColumn<qint64>("grain");
        QTest::newRow("evenly") << qint64{64} << 4 << qint64{16};
        QTest::newRow("with a rest") << qint64{101} << 3 << qint64{16};
        QTest::newRow("fewer than parts") << qint64{2} << 5 << qint64{1};
        QTest::newRow("less than a grain") << qint64{3} << 2 << qint64{64};
        QTest::newRow("nothing") << qint64{0} << 2 << qint64{1};
    }
    void partsCoverEverythingOnce() {
        QFETCH(qint64, n);
        QFETCH(int, parts);
        QFETCH(qint64, grain);
        std::int64_t next = 0;
        for (int part = 0; part < parts; ++part) {
            const Range range = partOf(n, part, parts, grain);
            QCOMPARE(range.begin, next);
            QVERIFY(range.end >= range.begin);
            QVERIFY(range.end == n || range.end % grain == 0);
            next = range.end;
        }
        QCOMPARE(next, std::int64_t{n});
    }

    void everyElementIsVisitedOnce() {
        for (const int cores : {1, 2, 3}) {
            for (const std::int64_t n : {1, 17, 100000}) {
                std::vector<int> visits(static_cast<std::size_t>(n), 0);
                shareOut(cores, n, 16, n, [&](Range range) {
                    for (std::int64_t k = range.begin; k < range.end; ++k) {
                        ++visits[static_cast<std::size_t>(k)];
                    }
                });
                QCOMPARE(std::ranges::count(visits, 1), n);
            }
        }
    }

    void everyCoreGetsItsPart() {
        std::vector<int> seen(4, 0);
        onEachCore(4, [&](int part) { ++seen[static_cast<std::size_t>(part)]; });
        QCOMPARE(seen, std::vector<int>(4, 1));
    }
};

std::unique_ptr<QObject> makeTestTeam() { return std::make_unique<TestTeam>(); }

#include "tst_team.moc"
