// SPDX-License-Identifier: Apache-2.0
// A launch that is disturbed before any run has begun: it ends, says why, and leaves no process and
// no file.
#include "faulty_run.h"
#include "support/ranks.h"
#include "support/test_main.h"

#include <QTest>
#include <csignal>
#include <memory>

using namespace weft;
using namespace weft::test;

namespace {

const SmallDesign design{.steps = endless, .checkpointEvery = endless, .assign = "data"};

} // namespace

class TestLaunching : public QObject {
    Q_OBJECT

private:
    static void addMoments() {
        QTest::addColumn<bool>("withRanks");
        QTest::addRow("mpirun is there") << false;
        QTest::addRow("the ranks are there") << true;
    }

    /// Looks without a pause: the moments between are short.
    static void waitForThe(const FaultyRun& run, bool withRanks) {
        QElapsedTimer timer;
        timer.start();
        const auto isThere = [&] {
            return withRanks ? run.ranks().size() == 2 : run.mpirun() != run.process();
        };
        while (!isThere() && run.isRunning() && !timer.hasExpired(patience)) {
        }
        QVERIFY(isThere());
    }

    static void expectNothingLeft(const FaultyRun& run) {
        QTRY_VERIFY2_WITH_TIMEOUT(run.leftovers().isEmpty(), qPrintable(run.leftovers().join(", ")),
                                  patience);
        QVERIFY(run.run().isEmpty() || run.opened().summary.state != RunState::living);
    }

private Q_SLOTS:
    void initTestCase() {
        if (const QString why = whyNoRanks(); !why.isEmpty()) {
            QSKIP(qPrintable(why));
        }
    }

    void aKilledFrontLeavesNothing_data() { addMoments(); }
    void aKilledFrontLeavesNothing() {
        QFETCH(const bool, withRanks);
        FaultyRun run(design);
        run.launch(2, 20);
        waitForThe(run, withRanks);
        run.remember();
        ::kill(run.process(), SIGKILL);
        static_cast<void>(run.end());
        expectNothingLeft(run);
    }

    void aFrontThatIsAskedToEndDoes_data() {
        QTest::addColumn<bool>("withRanks");
        QTest::addColumn<int>("signal");
        QTest::addRow("SIGTERM, mpirun is there") << false << SIGTERM;
        QTest::addRow("SIGINT, the ranks are there") << true << SIGINT;
    }
    void aFrontThatIsAskedToEndDoes() {
        QFETCH(const bool, withRanks);
        QFETCH(const int, signal);
        FaultyRun run(design);
        run.launch(2, 20);
        waitForThe(run, withRanks);
        run.remember();
        ::kill(run.process(), signal);
        const Ended ended = run.end();
        // Ranks that had joined take their first step, save it and say how to go on.
        QVERIFY2(ended.error.contains(run.run().isEmpty() ? "on request" : "weft resume"),
                 qPrintable(ended.error));
        QCOMPARE(ended.code, run.run().isEmpty() ? 1 : 0);
        expectNothingLeft(run);
    }

    void aKilledMpirunLeavesNothing_data() { addMoments(); }
    void aKilledMpirunLeavesNothing() {
        QFETCH(const bool, withRanks);
        FaultyRun run(design);
        run.launch(2, 20);
        waitForThe(run, withRanks);
        run.remember();
        ::kill(run.mpirun(), SIGKILL);
        const Ended ended = run.end();
        QCOMPARE(ended.code, 4);
        QVERIFY2(ended.error.contains("mpirun: was killed by signal 9"), qPrintable(ended.error));
        expectNothingLeft(run);
    }

    void aRankThatDiesBeforeItHasJoinedEndsTheOthers() {
        FaultyRun run(design);
        run.launch(2, 20);
        waitForThe(run, true);
        run.signalRank(1, SIGKILL);
        const Ended ended = run.end();
        QCOMPARE(ended.code, 4);
        // Either the launcher or the other rank notices first.
        QVERIFY2(ended.error.contains("died") ||
                     ended.error.contains("a rank ended before it had connected"),
                 qPrintable(ended.error));
        expectNothingLeft(run);
    }
};

std::unique_ptr<QObject> makeTestLaunching() { return std::make_unique<TestLaunching>(); }
#include "tst_launching.moc"
