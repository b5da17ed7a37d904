// SPDX-License-Identifier: Apache-2.0
// Kills at random instants, by the hundred: what was written stays whole, and the run goes on from
// it.
#include "../cli/weft_process.h"
#include "faulty_run.h"
#include "kills.h"
#include "support/ranks.h"
#include "support/test_main.h"

#include <QTest>
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
};

std::unique_ptr<QObject> makeTestManyKills() { return std::make_unique<TestManyKills>(); }
#include "tst_many_kills.moc"
