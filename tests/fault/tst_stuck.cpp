// SPDX-License-Identifier: Apache-2.0
// A rank that beats and whose op does not end: ended as stuck after a while, before that named as
// slow, which is no failure.
#include "faulty_run.h"
#include "stopped_thread.h"
#include "support/ranks.h"
#include "support/test_main.h"

#include <QFile>
#include <QTest>
#include <csignal>

using namespace weft;
using namespace weft::test;

namespace {

const QByteArray stream = "stream 0"; ///< the thread in which a rank computes

} // namespace

class TestStuck : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (const QString why = whyNoRanks(); !why.isEmpty()) {
            QSKIP(qPrintable(why));
        }
    }
    void cleanup() { qunsetenv("WEFT_STUCK_LIMIT"); }

    void aRankThatStandsStillIsEnded() {
        qputenv("WEFT_STUCK_LIMIT", "2");
        FaultyRun run({.steps = endless, .checkpointEvery = 5, .assign = "data"});
        run.launch(2, 20);
        QTRY_VERIFY_WITH_TIMEOUT(run.checkpoints() > 1, patience);
        run.remember();
        {
            const StoppedThread held(run.ranks().at(1), stream);
            if (!held.fault().isEmpty()) {
                QSKIP(qPrintable(held.fault()));
            }
            QTRY_VERIFY_WITH_TIMEOUT(held.isDead(), patience);
            const Ended ended = run.end();
            QCOMPARE(ended.code, 4);
            // In an op of its own, or on its way out of a collective that then never ends.
            QVERIFY2(ended.error.contains("this op has run for") || ended.error.contains("waited"),
                     qPrintable(ended.error));
            QVERIFY2(ended.error.contains("rank 1 (") || ended.error.contains("missing"),
                     qPrintable(ended.error));
            QVERIFY2(ended.error.contains("weft resume"), qPrintable(ended.error));
        }
        QTRY_VERIFY2_WITH_TIMEOUT(run.leftovers().isEmpty(), qPrintable(run.leftovers().join(", ")),
                                  patience);
        QCOMPARE(run.opened().summary.state, RunState::failed);
    }

    void aSlowRankIsNamedAndTheRunGoesOn() {
        FaultyRun run({.steps = endless, .checkpointEvery = endless, .assign = "data"});
        run.launch(2, 1);
        QTRY_VERIFY_WITH_TIMEOUT(run.steps() > 2, patience);
        run.remember();
        const auto log = [&run] {
            QFile file(run.run() + "/log.txt");
            return file.open(QIODevice::ReadOnly) ? QString(file.readAll()) : QString();
        };
        {
            const StoppedThread held(run.ranks().at(1), stream);
            if (!held.fault().isEmpty()) {
                QSKIP(qPrintable(held.fault()));
            }
            QTRY_VERIFY2_WITH_TIMEOUT(log().contains("is slow: rank 0 has waited"),
                                      qPrintable(log()), patience);
        }
        const int before = run.steps();
        QTRY_VERIFY_WITH_TIMEOUT(run.steps() > before + 3, patience);
        ::kill(run.process(), SIGTERM);
        const Ended ended = run.end();
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        QCOMPARE(run.opened().summary.state, RunState::stopped);
    }
};

std::unique_ptr<QObject> makeTestStuck() { return std::make_unique<TestStuck>(); }
#include "tst_stuck.moc"
