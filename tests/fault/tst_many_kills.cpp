// SPDX-License-Identifier: Apache-2.0
// Kills at random instants, by the hundred: what was written stays whole, and the run goes on from
// it.
#include "../cli/weft_process.h"
#include "faulty_run.h"
#include "kills.h"
#include "support/ranks.h"
#include "support/test_main.h"

#include <QTest>
#include <array>
#include <csignal>
#include <memory>
#include <random>

using namespace weft;
using namespace weft::test;

class TestManyKills : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void losesNothingToManyKills() {
        const QString lost = killManyTimes(300, std::random_device()());
        QVERIFY2(lost.isEmpty(), qPrintable(lost));
    }

    void ranksLoseNothingToManyKills() {
        if (const QString why = whyNoRanks(); !why.isEmpty()) {
            QSKIP(qPrintable(why));
        }
        const unsigned seed = std::random_device()();
        qInfo("seed %u", seed);
        std::mt19937 draw(seed);
        for (int kill = 0; kill < 60; ++kill) {
            FaultyRun run({.steps = 1'000'000, .checkpointEvery = 2, .assign = "data"});
            const int ranks = 2 + static_cast<int>(draw() % 2);
            run.launch(ranks, 30);
            const int after = 1 + static_cast<int>(draw() % 200);
            QTRY_VERIFY_WITH_TIMEOUT(run.steps() > after, patience);
            run.signalRank(static_cast<int>(draw()) & 1, SIGKILL);
            const Ended ended = run.end();
            QVERIFY2(ended.code == 4, qPrintable(ended.error));
            QTRY_VERIFY2_WITH_TIMEOUT(run.leftovers().isEmpty(),
                                      qPrintable(run.leftovers().join(", ")), patience);
            static_cast<void>(run.planMoreSteps(2, "model.stack"));
            const Ended resumed = run.weft({"resume", run.run(), "--ranks", "2"});
            QVERIFY2(resumed.code == 0, qPrintable(resumed.error));
        }
    }

    void launchesLeaveNothingToManyKills() {
        if (const QString why = whyNoRanks(); !why.isEmpty()) {
            QSKIP(qPrintable(why));
        }
        const unsigned seed = std::random_device()();
        qInfo("seed %u", seed);
        std::mt19937 draw(seed);
        for (int kill = 0; kill < 120; ++kill) {
            FaultyRun run({.steps = endless, .checkpointEvery = endless, .assign = "data"});
            run.launch(2, 20);
            QTest::qSleep(static_cast<int>(draw() % 600)); // the random instant
            run.remember();
            const int signal = std::array{SIGKILL, SIGTERM, SIGINT}[draw() % 3];
            const std::array victims{run.process(), run.mpirun(),
                                     run.ranks().empty() ? run.process()
                                                         : run.ranks().begin()->second};
            ::kill(victims[draw() % victims.size()], signal);
            static_cast<void>(run.end());
            QTRY_VERIFY2_WITH_TIMEOUT(run.leftovers().isEmpty(),
                                      qPrintable(run.leftovers().join(", ")), patience);
        }
    }
};

std::unique_ptr<QObject> makeTestManyKills() { return std::make_unique<TestManyKills>(); }
#include "tst_many_kills.moc"
