// SPDX-License-Identifier: Apache-2.0
// Runs in the queue of another host, from outside: a real Slurm behind a real sshd.
#include "cli/weft_process.h"
#include "support/own_slurm.h"
#include "support/own_sshd.h"
#include "support/own_user.h"
#include "support/test_main.h"
#include <weft/hosts.h>
#include <weft/runs.h>

#include <QTest>
#include <memory>

using namespace weft;
using namespace weft::test;

class TestQueueThere : public QObject {
    Q_OBJECT

    static constexpr int patience = 120'000;
    static constexpr int endless = 1'000'000;

    std::unique_ptr<OwnSlurm> slurm_;
    std::unique_ptr<OwnUser> user_;
    std::unique_ptr<OwnSshd> sshd_;

    [[nodiscard]] QString there() const { return user_->filePath("there"); }
    [[nodiscard]] Ended weft(const QStringList& words) const {
        return test::weft(words, user_->path());
    }
    [[nodiscard]] QString begun(const SmallDesign& design, const QStringList& more = {}) const {
        return begunOn("far", design, user_->path(), more);
    }
    [[nodiscard]] std::optional<RunSummary> summary(const QString& run) const {
        return summaryOf((there() + '/' + run).toStdString());
    }
    /// Returns the number of the job in this state.
    [[nodiscard]] QString numberOf(const QString& state) const {
        return slurm_->ask("squeue", {"-h", "-t", state, "-o", "%i"}, {}).section('\n', 0, 0);
    }

private Q_SLOTS:
    void initTestCase() {
        slurm_ = std::make_unique<OwnSlurm>();
        if (!slurm_->fault().isEmpty()) {
            QSKIP(qPrintable(slurm_->fault()));
        }
    }
    void cleanupTestCase() { slurm_.reset(); }
    void init() {
        user_ = std::make_unique<OwnUser>();
        sshd_ = std::make_unique<OwnSshd>(QStringList{"SetEnv SLURM_CONF=" + slurm_->settings()});
        if (!sshd_->fault().isEmpty()) {
            QSKIP(qPrintable(sshd_->fault()));
        }
        const Ended added = addedHost("far", sshd_->via(), there(), {"--start", "slurm"});
        QVERIFY2(added.code == 0, qPrintable(added.error));
    }
    void cleanup() {
        (void)slurm_->ask("scancel", {"--me", "--signal=KILL", "--full"}, {});
        (void)slurm_->ask("scancel", {"--me"}, {});
        (void)weft({"host", "close", "far"});
        sshd_.reset();
    }

    void aRunGoesThroughTheQueueToItsEnd() {
        const Ended before = weft({"host", "check", "far"});
        QVERIFY2(before.out.contains("test"), qPrintable(before.out));
        const Ended asked = weft({"host", "check", "far", "--nodes"});
        QVERIFY2(asked.code == 0 && asked.out.contains("of test, queried on"),
                 qPrintable(asked.out + asked.error));
        const QString run = begun({.steps = 12, .checkpointEvery = 6});
        const Ended followed = weft({"attach", "far:" + run});
        QVERIFY2(followed.code == 0 && followed.out.contains("done"),
                 qPrintable(run + followed.error));
        QCOMPARE(lossesOf(there() + '/' + run).size(), std::size_t{12});
    }

    void oneThatWaitsSaysForWhatAndIsCancelled() {
        const QString first =
            begun({.steps = endless, .checkpointEvery = endless}, {"--cores", "2"});
        QTRY_VERIFY_WITH_TIMEOUT(lossesOf(there() + '/' + first).size() > 2, patience);
        const QString second = begun({.steps = 12, .checkpointEvery = 6}, {"--cores", "2"});
        const auto said = [&] { return weft({"runs", "--on", "far"}).out; };
        QTRY_VERIFY2_WITH_TIMEOUT(said().contains("waiting"), qPrintable(said()), 30'000);
        QCOMPARE(weft({"tell", "far:" + second, "cancel"}).code, 0);
        QTRY_VERIFY2_WITH_TIMEOUT(!said().contains("waiting"), qPrintable(said()), 30'000);
        QVERIFY(!summary(second));
        QCOMPARE(weft({"tell", "far:" + first, "stop"}).code, 0);
        QTRY_VERIFY_WITH_TIMEOUT(summary(first)->state == RunState::stopped, patience);
        const Ended resumed =
            weft({"resume", "far:" + first, "--set",
                  "training.steps=" + QString::number(lossesOf(there() + '/' + first).size() + 3)});
        QVERIFY2(resumed.code == 0 && resumed.out.contains("done"), qPrintable(resumed.error));
    }

    void oneThatIsPutBackGoesOnAsItsNextAttempt() {
        const QString run = begun({.steps = endless, .checkpointEvery = endless});
        QTRY_VERIFY_WITH_TIMEOUT(lossesOf(there() + '/' + run).size() > 2, patience);
        const QString number = numberOf("RUNNING");
        QVERIFY(!number.isEmpty());
        (void)slurm_->ask("scontrol", {"requeue", number}, {});
        QTRY_VERIFY_WITH_TIMEOUT(!numberOf("PENDING").isEmpty(), patience);
        const auto hasGoneOn = [&] {
            (void)slurm_->ask("scontrol", {"update", "JobId=" + number, "StartTime=now"}, {});
            return summary(run)->attempts == 2 && summary(run)->state == RunState::living;
        };
        QTRY_VERIFY_WITH_TIMEOUT(hasGoneOn(), patience);
        QTRY_COMPARE_WITH_TIMEOUT(openRun((there() + '/' + run).toStdString()).attempts.size(),
                                  std::size_t{2}, patience);
        QCOMPARE(weft({"tell", "far:" + run, "stop"}).code, 0);
        QTRY_VERIFY_WITH_TIMEOUT(summary(run)->state == RunState::stopped, patience);
    }
};

std::unique_ptr<QObject> makeTestQueueThere() { return std::make_unique<TestQueueThere>(); }
#include "tst_queue_there.moc"
