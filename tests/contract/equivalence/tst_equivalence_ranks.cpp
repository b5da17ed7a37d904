// SPDX-License-Identifier: Apache-2.0
// The equivalence suite over MPI: one mpirun per number of ranks, all layer kinds and assignments
// in it.
#include "ranks_program.h"
#include "support/ranks.h"
#include "support/test_main.h"

#include <QTest>

using namespace weft::test;

class TestEquivalenceRanks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (const QString why = whyNoRanks(); !why.isEmpty()) {
            QSKIP(qPrintable(why));
        }
    }

    void spreadsEveryLayerOverRanks_data() { addRowsPerRanks(); }
    void spreadsEveryLayerOverRanks() {
        QFETCH(const int, ranks);
        const RanksOutcome outcome = runOnRanks(ranks, "equivalence_ranks");
        QVERIFY2(outcome.isFine(), qPrintable(outcome.said));
        // Most layers can be spread by most words.
        QVERIFY2(outcome.counted("spreads") >= 60, qPrintable(outcome.said));
    }
};

std::unique_ptr<QObject> makeTestEquivalenceRanks() {
    return std::make_unique<TestEquivalenceRanks>();
}
#include "tst_equivalence_ranks.moc"
