// SPDX-License-Identifier: Apache-2.0
// Random designs over MPI: one mpirun per number of ranks, all designs in it.
#include "contract/equivalence/ranks_program.h"
#include "support/ranks.h"
#include "support/test_main.h"

#include <QTest>

using namespace weft::test;

class TestRandomRanks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (const QString why = whyNoRanks(); !why.isEmpty()) {
            QSKIP(qPrintable(why));
        }
    }

    void equalOneDevice_data() { addRowsPerRanks(); }
    void equalOneDevice() {
        QFETCH(const int, ranks);
        const QString seed = QString::number(1000 * ranks);
        qInfo("first seed %s", qPrintable(seed));
        const RanksOutcome outcome = runOnRanks(ranks, "random_ranks", {seed, "40"});
        QVERIFY2(outcome.isFine(), qPrintable(outcome.said));
        // A few come to no finite numbers on one device alone.
        QVERIFY2(outcome.counted("designs") >= 30, qPrintable(outcome.said));
    }
};

std::unique_ptr<QObject> makeTestRandomRanks() { return std::make_unique<TestRandomRanks>(); }
#include "tst_random_ranks.moc"
