// SPDX-License-Identifier: Apache-2.0
// Signals that ask: the run finishes its step, saves, says how to go on, and all ranks end alike.
#include "faulty_run.h"
#include "support/ranks.h"
#include "support/test_main.h"

#include <QTest>
#include <csignal>
#include <memory>

using namespace weft;
using namespace weft::test;

class TestSignals : public QObject {
    Q_OBJECT

private:
    static void expectStopped(FaultyRun& run) {
        const Ended ended = run.end();
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        QVERIFY2(ended.error.contains("weft resume"), qPrintable(ended.error));
        QCOMPARE(ended.error.count("stopped on request"), 1);
        QCOMPARE(run.opened().summary.state, RunState::stopped);
        QCOMPARE(run.checkpoints(), 1);
        QTRY_VERIFY2_WITH_TIMEOUT(run.leftovers().isEmpty(), qPrintable(run.leftovers().join(", ")),
                                  patience);
    }

private Q_SLOTS:
    void initTestCase() {
        if (const QString why = whyNoRanks(); !why.isEmpty()) {
            QSKIP(qPrintable(why));
        }
    }

    void aSignalToTheLauncherStopsAllRanks_data() {
        QTest::addColumn<int>("signal");
        QTest::addRow("SIGINT") << SIGINT;
        QTest::addRow("SIGTERM") << SIGTERM;
    }
    void aSignalToTheLauncherStopsAllRanks() {
        QFETCH(const int, signal);
        FaultyRun run({.steps = endless, .checkpointEvery = endless, .assign = "data"});
        run.launch(2);
        QTRY_VERIFY_WITH_TIMEOUT(run.steps() > 2, patience);
        run.remember();
        ::kill(run.process(), signal);
        expectStopped(run);
    }

    void aSignalToOneRankStopsAllOfThem() {
        FaultyRun run({.steps = endless, .checkpointEvery = endless, .assign = "data"});
        run.launch(3);
        QTRY_VERIFY_WITH_TIMEOUT(run.steps() > 2, patience);
        run.signalRank(2, SIGTERM);
        expectStopped(run);
    }

    void ranksThatMpirunAloneEndsSayWhy() {
        // Its survivors are told to end a second after the death, and are killed a second later.
        FaultyRun run({.steps = endless, .checkpointEvery = 5, .assign = "model.stack"});
        run.launchPlain(3, 20);
        QTRY_VERIFY_WITH_TIMEOUT(run.checkpoints() > 0, patience);
        run.signalRank(1, SIGKILL);
        const Ended ended = run.end();
        QVERIFY(ended.code != 0);
        // No rank holds all of the parameters: the last good checkpoint is named instead.
        QVERIFY2(ended.error.contains("could not be saved") ||
                     ended.error.contains("saved before the run ended"),
                 qPrintable(ended.error));
        QVERIFY2(ended.error.contains("continues from step"), qPrintable(ended.error));
        QCOMPARE(run.opened().summary.state, RunState::failed);
    }
};

std::unique_ptr<QObject> makeTestSignals() { return std::make_unique<TestSignals>(); }
#include "tst_signals.moc"
