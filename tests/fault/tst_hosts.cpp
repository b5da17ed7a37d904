// SPDX-License-Identifier: Apache-2.0
// Ranks on two hosts: the host channel goes over TCP, a death there is told here, and a cable that
// is cut ends the run on both sides.
#include "faulty_run.h"
#include "other_host.h"
#include "support/ranks.h"
#include "support/test_main.h"

#include <QTest>
#include <csignal>

using namespace weft;
using namespace weft::test;

class TestHosts : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<OtherHost> other_;

    void launch(FaultyRun& run, double limit) const {
        run.launch(2, limit, {"--hosts", other_->hostfile()});
    }

    void expectNothingThere() const {
        QTRY_VERIFY2_WITH_TIMEOUT(other_->processes().isEmpty(),
                                  qPrintable(other_->processes().join(' ')), patience);
    }

private Q_SLOTS:
    void init() {
        if (const QString why = whyNoRanks(); !why.isEmpty()) {
            QSKIP(qPrintable(why));
        }
        other_ = std::make_unique<OtherHost>();
        if (!other_->fault().isEmpty()) {
            QSKIP(qPrintable("no second host can be made here: " + other_->fault()));
        }
    }
    void cleanup() { other_.reset(); }

    void aRunOverTwoHostsIsTheSameRun() {
        FaultyRun run({.steps = 6, .checkpointEvery = endless, .assign = "data"});
        launch(run, 20);
        const Ended ended = run.end();
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        const Ended alone =
            run.weft({"run", "small.weft", "--devices", "cpu:0", "--runs", "alone/runs"});
        QVERIFY2(alone.code == 0, qPrintable(alone.error));
        QVERIFY(largestDifference(lossesOf(run.run()),
                                  lossesOf(runsIn(run.folder() + "/alone").value(0))) < 2e-3);
        expectNothingThere();
    }

    void aRankKilledThereIsNamedWithItsHost() {
        FaultyRun run({.steps = endless, .checkpointEvery = 5, .assign = "data"});
        launch(run, 20);
        QTRY_VERIFY_WITH_TIMEOUT(run.checkpoints() > 1, patience);
        run.signalRank(1, SIGKILL);
        const Ended ended = run.end();
        QCOMPARE(ended.code, 4);
        QVERIFY2(ended.error.contains(QString("rank 1 (%1)").arg(other_->name())) &&
                     ended.error.contains("the process of this rank died"),
                 qPrintable(ended.error));
        QCOMPARE(run.opened().summary.state, RunState::failed);
        expectNothingThere();
    }

    // The limit is longer than the 5 s after which the daemons of mpirun find the cable cut: one
    // whose rank has left before has more to say than TCP gives up for in minutes.
    void aCutCableEndsBothSides() {
        FaultyRun run({.steps = endless, .checkpointEvery = 5, .assign = "data"});
        launch(run, 8);
        QTRY_VERIFY_WITH_TIMEOUT(run.checkpoints() > 1, patience);
        run.remember();
        other_->cutCable();
        const Ended ended = run.end();
        QCOMPARE(ended.code, 4);
        QVERIFY2(ended.error.contains(QString("rank 1 (%1)").arg(other_->name())) &&
                     ended.error.contains("no message for 8"),
                 qPrintable(ended.error));
        expectNothingThere();
        const int steps = run.planMoreSteps(4, "data");
        const Ended resumed = run.weft({"resume", run.run(), "--devices", "cpu:0"});
        QVERIFY2(resumed.code == 0, qPrintable(resumed.error));
        QVERIFY(lossesByStep(run.run()).contains(steps));
    }
};

std::unique_ptr<QObject> makeTestHosts() { return std::make_unique<TestHosts>(); }
#include "tst_hosts.moc"
