// SPDX-License-Identifier: Apache-2.0
// The equivalence suite over MPI: one mpirun per number of ranks, all layer kinds and assignments
// in it.
#include "comm/world.h"
#include "support/test_main.h"

#include <QCoreApplication>
#include <QProcess>
#include <QStandardPaths>
#include <QtTest>

class TestEquivalenceRanks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (!weft::isMpiBuilt()) {
            QSKIP("this build has no MPI");
        }
        if (QStandardPaths::findExecutable("mpirun").isEmpty()) {
            QSKIP("mpirun is not installed");
        }
    }

    void spreadsEveryLayerOverRanks_data() {
        QTest::addColumn<int>("ranks");
        for (const int ranks : {2, 3, 4}) {
            QTest::addRow("%d ranks", ranks) << ranks;
        }
    }
    void spreadsEveryLayerOverRanks() {
        QFETCH(const int, ranks);
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start("mpirun", {"--allow-run-as-root", "--oversubscribe", "--bind-to", "none",
                                 "-n", QString::number(ranks),
                                 QCoreApplication::applicationDirPath() + "/equivalence_ranks"});
        const bool hasEnded = process.waitForFinished(280'000);
        const QString said = QString::fromUtf8(process.readAll());
        if (!hasEnded) {
            process.terminate();
            process.waitForFinished(10'000);
        }
        QVERIFY2(hasEnded, qPrintable("it did not end: " + said));
        QVERIFY2(process.exitCode() == 0, qPrintable(said));
        // Most layers can be spread by most words.
        const int spread = said.section(" spreads", 0, 0).section('\n', -1).toInt();
        QVERIFY2(spread >= 60, qPrintable(said));
    }
};

std::unique_ptr<QObject> makeTestEquivalenceRanks() {
    return std::make_unique<TestEquivalenceRanks>();
}
#include "tst_equivalence_ranks.moc"
