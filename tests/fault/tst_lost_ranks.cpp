// SPDX-License-Identifier: Apache-2.0
// Ranks that are killed, stopped or misled: the others end with the cause, nothing is left behind,
// and the run goes on.
#include "faulty_run.h"
#include "processes.h"
#include "support/places.h"
#include "support/ranks.h"
#include "support/test_main.h"

#include <QDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <csignal>
#include <memory>

using namespace weft;
using namespace weft::test;

namespace {

/// When a rank is disturbed.
enum class Moment { begin, step, checkpoint, evaluation };

SmallDesign designFor(Moment moment) {
    SmallDesign design{.steps = endless, .checkpointEvery = 5, .assign = "data"};
    design.checkpointEvery = moment == Moment::checkpoint ? 1 : 5;
    design.evaluateEvery = moment == Moment::evaluation ? 1 : endless;
    return design;
}

bool hasCome(const FaultyRun& run, Moment moment, int ranks) {
    if (moment == Moment::begin) {
        return static_cast<int>(run.ranks().size()) == ranks;
    }
    return run.checkpoints() > 1 && run.steps() > 0; // the log is written a little later
}

} // namespace

class TestLostRanks : public QObject {
    Q_OBJECT

private:
    static void expectClean(const FaultyRun& run) {
        QTRY_VERIFY2_WITH_TIMEOUT(run.leftovers().isEmpty(), qPrintable(run.leftovers().join(", ")),
                                  patience);
    }

    /// Compares the steps that both runs have; a killed rank 0 may have left steps unwritten.
    static void expectSameLosses(const QString& resumed, const QString& whole, int steps) {
        const auto some = lossesByStep(resumed);
        const auto all = lossesByStep(whole);
        QCOMPARE(static_cast<int>(all.size()), steps);
        QVERIFY(some.contains(steps) && some.contains(steps - 3) && some.contains(1));
        for (const auto& [step, loss] : some) {
            if (step > steps) {
                continue; // the first attempt may have come further than its last checkpoint
            }
            const double expected = all.at(step);
            QVERIFY2(std::abs(loss - expected) < 2e-3 * std::max(std::abs(expected), 0.05),
                     qPrintable(QString("step %1: %2 and %3").arg(step).arg(loss).arg(expected)));
        }
    }

    /// The losses of the whole run are those of one that nobody disturbed.
    static void expectToGoOn(const FaultyRun& run, int ranks, const QString& assign,
                             int syncEvery = 1) {
        const int steps = run.planMoreSteps(4, assign);
        const QString number = QString::number(ranks);
        const Ended resumed = run.weft({"resume", run.run(), "--ranks", number});
        QVERIFY2(resumed.code == 0, qPrintable(resumed.error));
        QTemporaryDir other;
        writeDesign(other.path() + "/small.weft",
                    {.steps = steps, .checkpointEvery = endless, .syncEvery = syncEvery});
        const Ended whole = test::weft({"run", "small.weft", "--devices", "cpu:0"}, other.path());
        QVERIFY2(whole.code == 0, qPrintable(whole.error));
        expectSameLosses(run.run(), runsIn(other.path())[0], steps);
    }

private Q_SLOTS:
    void initTestCase() {
        if (const QString why = whyNoRanks(); !why.isEmpty()) {
            QSKIP(qPrintable(why));
        }
    }

    void aKilledRankEndsTheRunWithItsName_data() {
        QTest::addColumn<int>("moment");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("victim");
        const auto add = [](const char* name, Moment moment, int ranks, int victim) {
            QTest::addRow("%s, rank %d of %d", name, victim, ranks)
                << static_cast<int>(moment) << ranks << victim;
        };
        add("begin", Moment::begin, 2, 1);
        add("step", Moment::step, 2, 0);
        add("step", Moment::step, 3, 2);
        add("checkpoint", Moment::checkpoint, 2, 1);
        add("evaluation", Moment::evaluation, 2, 1);
    }
    void aKilledRankEndsTheRunWithItsName() {
        QFETCH(const int, moment);
        QFETCH(const int, ranks);
        QFETCH(const int, victim);
        FaultyRun run(designFor(static_cast<Moment>(moment)));
        run.launch(ranks, 20);
        QTRY_VERIFY_WITH_TIMEOUT(hasCome(run, static_cast<Moment>(moment), ranks), patience);
        run.signalRank(victim, SIGKILL);
        const Ended ended = run.end();
        QCOMPARE(ended.code, 4);
        expectClean(run);
        if (static_cast<Moment>(moment) == Moment::begin) {
            return; // it may have gone before it had said its name
        }
        QVERIFY2(ended.error.contains(QString("rank %1 (").arg(victim)), qPrintable(ended.error));
        QVERIFY2(ended.error.contains("the process of this rank died"), qPrintable(ended.error));
        const QByteArray log = bytesOf(run.run() + "/log.txt");
        QVERIFY2(!log.contains("PMIX ERROR"), log.constData());
        QCOMPARE(run.opened().summary.state, RunState::failed);
        QVERIFY(run.opened().failures.size() == 1);
        expectToGoOn(run, ranks, "data");
    }

    /// A rank's pending sum is lost with the rank, and the others cannot save without it.
    void aLostRankTakesItsShareOfASumAlong() {
        SmallDesign design = designFor(Moment::step);
        design.assign = "batch";
        design.syncEvery = 3;
        FaultyRun run(design);
        run.launch(2, 20);
        QTRY_VERIFY_WITH_TIMEOUT(hasCome(run, Moment::step, 2), patience);
        run.signalRank(1, SIGKILL);
        const Ended ended = run.end();
        QCOMPARE(ended.code, 4);
        expectClean(run);
        // It may have died with a checkpoint just written, and never saves another.
        for (const QString& name : QDir(run.run() + "/checkpoints").entryList(QDir::Files)) {
            QVERIFY2(name.mid(5, 9).toInt() % design.checkpointEvery == 0, qPrintable(name));
        }
        expectToGoOn(run, 2, "batch", design.syncEvery);
    }

    void ranksThatAllDieAtOnceHaveFailed() {
        FaultyRun run(designFor(Moment::step));
        run.launch(2, 20);
        QTRY_VERIFY_WITH_TIMEOUT(hasCome(run, Moment::step, 2), patience);
        run.remember();
        for (const auto& [rank, process] : run.ranks()) {
            ::kill(process, SIGSTOP);
        }
        for (const auto& [rank, process] : run.ranks()) {
            ::kill(process, SIGKILL);
        }
        const Ended ended = run.end();
        QCOMPARE(ended.code, 4);
        expectClean(run);
        const Run opened = run.opened();
        QCOMPARE(opened.summary.state, RunState::failed);
        QVERIFY2(!opened.summary.cause.empty() &&
                     ended.error.contains(opened.failures.at(0).problem().c_str()),
                 qPrintable(ended.error));
        expectToGoOn(run, 2, "data");
    }

    void aKilledProcessSaysWhereItWas() {
        FaultyRun run(designFor(Moment::step));
        run.start(QString::fromStdString(weftProgram().string()),
                  {"run", "small.weft", "--devices", "cpu:0,cpu:1"});
        // It goes on from a checkpoint.
        QTRY_VERIFY_WITH_TIMEOUT(run.checkpoints() > 0 && run.steps() > 0, patience);
        RunReader reader(run.run().toStdString());
        while (reader.read().isMore) { // its names are in the log's begin
        }
        // Held where it is until that is within an op.
        std::vector<RunningOp> held;
        const auto isInAnOp = [&] {
            ::kill(run.process(), SIGCONT);
            QTest::qSleep(20);
            ::kill(run.process(), SIGSTOP);
            const auto isStopped = [&] {
                return std::ranges::any_of(allProcesses(), [&](const Process& one) {
                    return one.id == run.process() && one.state == 'T';
                });
            };
            held = QTest::qWaitFor(isStopped, patience) ? reader.runningOps() : held;
            return !held.empty();
        };
        QVERIFY(QTest::qWaitFor(isInAnOp, patience)); // which asks no more once it is so
        ::kill(run.process(), SIGKILL);
        static_cast<void>(run.end());
        const Run opened = run.opened();
        QCOMPARE(opened.summary.state, RunState::lost);
        const QString cause = QString::fromStdString(opened.summary.cause);
        const QString place = QString::fromStdString(held[0].site.op + " of " + held[0].site.layer);
        QVERIFY2(cause == "rank 0 ended without reporting why, in " + place, qPrintable(cause));
        // A resume takes it from there, and what ended as it should leaves no page.
        const int steps = run.planMoreSteps(4, "data");
        const Ended resumed = run.weft({"resume", run.run(), "--devices", "cpu:0,cpu:1"});
        QVERIFY2(resumed.code == 0, qPrintable(resumed.error));
        QVERIFY(run.opened().summary.lastStep >= steps);
        QVERIFY(!QFile::exists(run.run() + "/standing.0"));
    }

    void aKilledRankUnderMpirunAloneIsNamedToo_data() {
        QTest::addColumn<int>("victim");
        QTest::addRow("rank 0, which keeps the channel") << 0;
        QTest::addRow("rank 1") << 1;
    }
    void aKilledRankUnderMpirunAloneIsNamedToo() {
        QFETCH(const int, victim);
        FaultyRun run(designFor(Moment::step));
        run.launchPlain(2, 20);
        QTRY_VERIFY_WITH_TIMEOUT(hasCome(run, Moment::step, 2), patience);
        run.signalRank(victim, SIGKILL);
        const Ended ended = run.end();
        QVERIFY(ended.code != 0);
        QVERIFY2(ended.error.contains(QString("rank %1 (").arg(victim)), qPrintable(ended.error));
        expectClean(run);
        QCOMPARE(run.opened().summary.state, RunState::failed);
        expectToGoOn(run, 2, "data");
    }

    void aStoppedRankIsGivenUp_data() {
        QTest::addColumn<int>("victim");
        QTest::addRow("rank 0") << 0;
        QTest::addRow("rank 1") << 1;
    }
    void aStoppedRankIsGivenUp() {
        QFETCH(const int, victim);
        FaultyRun run(designFor(Moment::step));
        run.launch(2, 1.5);
        QTRY_VERIFY_WITH_TIMEOUT(hasCome(run, Moment::step, 2), patience);
        run.signalRank(victim, SIGSTOP);
        const Ended ended = run.end();
        QCOMPARE(ended.code, 4);
        QVERIFY2(ended.error.contains(QString("rank %1 (").arg(victim)) &&
                     ended.error.contains("no message for 1.5 s"),
                 qPrintable(ended.error));
        // The collective that waited, and who had arrived there.
        QVERIFY2(ended.error.contains(QString("rank %1 was waiting at this point").arg(1 - victim)),
                 qPrintable(ended.error));
        expectClean(run);
        expectToGoOn(run, 3, "model.stack");
    }

    void aRankWithAnotherDesignIsNamed() {
        FaultyRun run({.steps = 6, .assign = "data"});
        writeDesign(run.folder() + "/other.weft", {.steps = 6, .assign = "model.stack"});
        const QString weft = QString::fromStdString(weftProgram().string());
        run.start("mpirun",
                  {"--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", "1", weft,
                   "run", "small.weft", ":", "-n", "1", weft, "run", "other.weft"});
        const Ended ended = run.end();
        QCOMPARE(ended.code, 4);
        QVERIFY2(ended.error.contains("rank 1 (") &&
                     ended.error.contains("differs from that of rank 0"),
                 qPrintable(ended.error));
        QVERIFY(run.run().isEmpty());
        expectClean(run);
    }

    void aKilledLauncherTakesItsRanksAlong_data() {
        QTest::addColumn<int>("stopped");
        QTest::addRow("all of which work") << -1;
        QTest::addRow("one of which is stopped") << 1;
    }
    void aKilledLauncherTakesItsRanksAlong() {
        QFETCH(const int, stopped);
        FaultyRun run(designFor(Moment::step));
        run.launch(2, 20);
        QTRY_VERIFY_WITH_TIMEOUT(hasCome(run, Moment::step, 2), patience);
        run.remember();
        if (stopped >= 0) {
            run.signalRank(stopped, SIGSTOP);
        }
        ::kill(run.process(), SIGKILL);
        static_cast<void>(run.end());
        expectClean(run);
        expectToGoOn(run, 2, "data");
    }

    void aKilledMpirunLeavesNothing() {
        FaultyRun run(designFor(Moment::step));
        run.launch(2, 20);
        QTRY_VERIFY_WITH_TIMEOUT(hasCome(run, Moment::step, 2), patience);
        run.remember();
        ::kill(run.mpirun(), SIGKILL);
        const Ended ended = run.end();
        QCOMPARE(ended.code, 4);
        expectClean(run);
        expectToGoOn(run, 2, "data");
    }
};

std::unique_ptr<QObject> makeTestLostRanks() { return std::make_unique<TestLostRanks>(); }
#include "tst_lost_ranks.moc"
