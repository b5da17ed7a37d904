// SPDX-License-Identifier: Apache-2.0
// A run on another host whose cable is cut: neither side is told, so that only the silence says it.
// It is said within its limit, the run does not notice, and nothing is missing afterwards.
#include "../cli/weft_process.h"
#include "other_host.h"
#include "support/own_sshd.h"
#include "support/own_user.h"
#include "support/places.h"
#include "support/test_main.h"
#include <weft/hosts.h>
#include <weft/runs.h>
#include <weft/session.h>

#include <QDir>
#include <QElapsedTimer>
#include <QProcess>
#include <QTest>
#include <memory>

using namespace weft;
using namespace weft::test;

class TestCutCable : public QObject {
    Q_OBJECT

    static constexpr int endless = 1'000'000;
    static constexpr int patience = 60'000;

    std::unique_ptr<OwnUser> user_;
    std::unique_ptr<OtherHost> other_;
    std::unique_ptr<OwnSshd> sshd_;

    [[nodiscard]] QString here() const { return user_->path(); }
    [[nodiscard]] QString there() const { return user_->filePath("there"); }
    [[nodiscard]] Ended weft(const QStringList& words) const { return test::weft(words, here()); }
    /// Not waited for.
    [[nodiscard]] std::unique_ptr<QProcess> started(const QStringList& words) const {
        auto process = std::make_unique<QProcess>();
        process->setWorkingDirectory(here());
        process->setProcessChannelMode(QProcess::MergedChannels);
        process->start(QString::fromStdString(weftProgram().string()), words);
        return process;
    }

private Q_SLOTS:
    void init() {
        user_ = std::make_unique<OwnUser>();
        other_ = std::make_unique<OtherHost>();
        if (!other_->fault().isEmpty()) {
            QSKIP(qPrintable("no second host can be made here: " + other_->fault()));
        }
        sshd_ = std::make_unique<OwnSshd>(QStringList(),
                                          SshdPlace{other_->address(), other_->through()});
        if (!sshd_->fault().isEmpty()) {
            QSKIP(qPrintable(sshd_->fault()));
        }
        const Ended added = addedHost("far", sshd_->via(), there());
        QVERIFY2(added.code == 0, qPrintable(added.error));
    }
    void cleanup() {
        (void)weft({"host", "close", "far"});
        sshd_.reset();
        other_.reset(); // with all that runs there
        user_.reset();
    }

    void isToldBySilenceAndNothingIsMissing() {
        const QString run = begunOn("far", {.steps = endless, .checkpointEvery = endless}, here(),
                                    {"--devices", "cpu:0"});
        const QString copy =
            QString::fromStdString(mirrorFolder({"far", run.toStdString()}).string());
        const auto attached = started({"attach", "far:" + run});
        QTRY_VERIFY_WITH_TIMEOUT(lossesOf(copy).size() > 2, patience);
        other_->cutCable();
        // Who comes now is told too, in the time that is promised.
        QElapsedTimer clock;
        clock.start();
        const auto late = started({"runs", "--on", "far"});
        QTRY_VERIFY_WITH_TIMEOUT(late->state() == QProcess::NotRunning, patience);
        const QString said = late->readAll();
        QVERIFY2(clock.elapsed() < 25'000, qPrintable(said));
        QVERIFY2(said.contains("no answer within 15 s") || said.contains("timed out"),
                 qPrintable(said));
        QString heard;
        const auto hears = [&](const char* words) {
            heard += attached->readAll();
            return heard.contains(QString::fromUtf8(words));
        };
        QTRY_VERIFY2_WITH_TIMEOUT(hears("the connection is lost"), qPrintable(heard), patience);
        const std::size_t known = lossesOf(copy).size();
        // The run goes on as if nothing had been.
        QTRY_VERIFY_WITH_TIMEOUT(lossesOf(there() + '/' + run).size() > known + 2, patience);
        other_->joinCable();
        QTRY_VERIFY2_WITH_TIMEOUT(hears("the connection is back"), qPrintable(heard), patience);
        QTRY_VERIFY_WITH_TIMEOUT(lossesOf(copy).size() > known + 2, patience);
        QCOMPARE(weft({"tell", "far:" + run, "stop"}).code, 0);
        QVERIFY(attached->waitForFinished(patience));
        QCOMPARE(bytesOf(copy + "/metrics.jsonl"), bytesOf(there() + '/' + run + "/metrics.jsonl"));
        QCOMPARE(bytesOf(copy + "/events.0.weftlog"),
                 bytesOf(there() + '/' + run + "/events.0.weftlog"));
    }
};

std::unique_ptr<QObject> makeTestCutCable() { return std::make_unique<TestCutCable>(); }
#include "tst_cut_cable.moc"
