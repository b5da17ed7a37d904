// SPDX-License-Identifier: Apache-2.0
// Random designs over MPI: one mpirun per number of ranks, all designs in it.
#include "comm/world.h"
#include "support/test_main.h"

#include <QCoreApplication>
#include <QProcess>
#include <QStandardPaths>
#include <QtTest>

class TestRandomRanks : public QObject {
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

    void equalOneDevice_data() {
        QTest::addColumn<int>("ranks");
        for (const int ranks : {2, 3, 4}) {
            QTest::addRow("%d ranks", ranks) << ranks;
        }
    }
    void equalOneDevice() {
        QFETCH(const int, ranks);
        const QString seed = QString::number(1000 * ranks);
        qInfo("first seed %s", qPrintable(seed));
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start("mpirun",
                      {"--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n",
                       QString::number(ranks),
                       QCoreApplication::applicationDirPath() + "/random_ranks", seed, "40"});
        const bool hasEnded = process.waitForFinished(280'000);
        const QString said = QString::fromUtf8(process.readAll());
        if (!hasEnded) {
            process.terminate();
            process.waitForFinished(10'000);
        }
        QVERIFY2(hasEnded, qPrintable("it did not end: " + said));
        QVERIFY2(process.exitCode() == 0, qPrintable(said));
        // A few come to no finite numbers on one device alone.
        const int trained = said.section(" designs", 0, 0).section('\n', -1).toInt();
        QVERIFY2(trained >= 30, qPrintable(said));
    }
};

std::unique_ptr<QObject> makeTestRandomRanks() { return std::make_unique<TestRandomRanks>(); }
#include "tst_random_ranks.moc"
