// SPDX-License-Identifier: Apache-2.0
#include "cli/weft_process.h"
#include "support/places.h"
#include "support/test_main.h"
#include <weft/runs.h>
#include <weft/session.h>

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <memory>
#include <utility>

using namespace weft;
using namespace weft::test;

namespace {

QStringList filesIn(const QString& folder) {
    return QDir(folder).entryList(QDir::Files, QDir::Name);
}

} // namespace

/// Wishes to a run of another process, and followers of it.
class TestTell : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<QProcess> process_;

    [[nodiscard]] QString here() const { return folder_->path(); }
    [[nodiscard]] QString run() const { return runsIn(here()).front(); }
    [[nodiscard]] std::size_t steps() const { return lossesOf(run()).size(); }
    [[nodiscard]] int tell(const QStringList& words) const {
        return test::weft(QStringList{"tell", run()} + words, here()).code;
    }

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        writeDesign(here() + "/small.weft", {.steps = 10'000'000, .checkpointEvery = 10'000'000});
        process_ = std::make_unique<QProcess>();
        process_->setWorkingDirectory(here());
        process_->start(QString::fromStdString(weftProgram().string()),
                        {"run", "small.weft", "--devices", "cpu:0"});
        QTRY_VERIFY_WITH_TIMEOUT(!runsIn(here()).isEmpty() && steps() > 0, patience);
    }

    void cleanup() {
        if (process_->state() != QProcess::NotRunning) {
            process_->kill();
            process_->waitForFinished();
        }
    }

    void pausesStepsAndGoesOn() {
        QCOMPARE(tell({"pause"}), 0);
        // It has paused when nothing comes while another program starts, looks and ends.
        const auto isQuiet = [&] {
            const std::size_t before = steps();
            for (int look = 0; look < 3; ++look) {
                (void)test::weft({"runs"}, here());
            }
            return steps() == before;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isQuiet(), patience);
        const std::size_t paused = steps();
        QCOMPARE(tell({"step"}), 0);
        QTRY_COMPARE_WITH_TIMEOUT(steps(), paused + 1, patience);
        QCOMPARE(tell({"resume"}), 0);
        QTRY_VERIFY_WITH_TIMEOUT(steps() > paused + 1, patience);
    }

    void twoStepsAreTwoAndOneThatComesTwiceIsOne() {
        QCOMPARE(tell({"pause"}), 0);
        const auto messages = [&] {
            QStringList told;
            for (const RunMessage& one : openRun(run().toStdString()).messages) {
                told << QString::fromStdString(one.text);
            }
            return told;
        };
        QTRY_VERIFY_WITH_TIMEOUT(summaryOf(run().toStdString())->isPaused, patience);
        QVERIFY(messages().contains("told to pause"));
        const std::size_t paused = steps();
        const std::string folder = run().toStdString();
        QCOMPARE(tell({"step"}), 0);
        QCOMPARE(tell({"step"}), 0);
        // An answer that was lost is asked for again.
        for (int time = 0; time < 3; ++time) {
            tellRun(folder, "step", {}, {.name = "afar", .number = 7});
        }
        tellRun(folder, "step", {}, {.name = "afar", .number = 8});
        QTRY_COMPARE_WITH_TIMEOUT(messages().filter("told to step").size(), 4, patience);
        QTRY_COMPARE_WITH_TIMEOUT(steps(), paused + 4, patience);
        QVERIFY(messages().contains("told to step by afar (8)"));
        // Requests are known to the next attempt.
        const QByteArray asked = bytesOf(run() + "/asked.json");
        QVERIFY2(asked.contains("\"afar\":8"), asked);
    }

    void savesWhenTold() {
        QVERIFY(filesIn(run() + "/checkpoints").isEmpty());
        QCOMPARE(tell({"save"}), 0);
        QTRY_COMPARE_WITH_TIMEOUT(filesIn(run() + "/checkpoints").size(), 1, patience);
    }

    void savesInAPause() {
        QCOMPARE(tell({"pause"}), 0);
        QTRY_VERIFY_WITH_TIMEOUT(summaryOf(run().toStdString())->isPaused, patience);
        const std::size_t paused = steps();
        QCOMPARE(tell({"save"}), 0);
        const QString saved = QString("step-%1.safetensors").arg(paused, 9, 10, QChar('0'));
        QTRY_COMPARE_WITH_TIMEOUT(filesIn(run() + "/checkpoints"), QStringList{saved}, patience);
        QVERIFY(summaryOf(run().toStdString())->isPaused);
        QCOMPARE(steps(), paused);
    }

    void showsALayerWhenTold() {
        // The convolution's output is inside a group with its bias and relu.
        QCOMPARE(tell({"observe", "conv"}), 0);
        const auto isThere = [&] {
            const QString all = filesIn(run() + "/tensors").join(' ');
            return all.contains("conv.y.npy") && all.contains("conv.weight.gradient.npy");
        };
        QTRY_VERIFY_WITH_TIMEOUT(isThere(), patience);
    }

    void showsEveryLayerThatWasAskedForInAPause() {
        QCOMPARE(tell({"pause"}), 0);
        QTRY_VERIFY_WITH_TIMEOUT(openRun(run().toStdString()).summary.isPaused, patience);
        QCOMPARE(tell({"observe", "fc1"}), 0);
        QCOMPARE(tell({"observe", "conv"}), 0);
        // Taken while it pauses, one after the other.
        QTRY_VERIFY_WITH_TIMEOUT(filesIn(run() + "/control").filter("observe").isEmpty(), patience);
        QCOMPARE(tell({"resume"}), 0);
        const auto areThere = [&] {
            const QString all = filesIn(run() + "/tensors").join(' ');
            return all.contains("conv.y.npy") && all.contains("fc1.y.npy");
        };
        QTRY_VERIFY_WITH_TIMEOUT(areThere(), patience);
    }

    void saysWhatItTakes_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("says");
        QTest::addRow("nothing") << QStringList{} << "use pause, resume, step, stop, save";
        QTest::addRow("no wish") << QStringList{"dance"} << "use pause, resume, step, stop, save";
        QTest::addRow("no layer") << QStringList{"observe"} << "name one of picture, conv";
        QTest::addRow("a layer there is not")
            << QStringList{"observe", "conv9"} << "no layer \"conv9\": name one of picture, conv";
        QTest::addRow("a layer too many")
            << QStringList{"pause", "conv"} << "has no layer argument";
    }
    void saysWhatItTakes() {
        QFETCH(const QStringList, words);
        QFETCH(const QString, says);
        const Ended refused = test::weft(QStringList{"tell", run()} + words, here());
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.error.contains(says), qPrintable(refused.error));
        QVERIFY(filesIn(run() + "/control").filter("wish").isEmpty());
    }

    void saysThatARunThatWasKilledIsGone() {
        process_->kill();
        QVERIFY(process_->waitForFinished(patience));
        QVERIFY(QDir(run() + "/control").exists());
        const Ended refused = test::weft({"tell", run(), "stop"}, here());
        QCOMPARE(refused.code, 4);
        QVERIFY2(refused.error.contains("ended without reporting why") &&
                     refused.error.contains("weft resume"),
                 qPrintable(refused.error));
        QVERIFY(filesIn(run() + "/control").filter("wish").isEmpty());
    }

    void stopsWhenTold() {
        QCOMPARE(tell({"stop"}), 0);
        QVERIFY(process_->waitForFinished(patience));
        QCOMPARE(process_->exitCode(), 0);
        QCOMPARE(filesIn(run() + "/checkpoints").size(), 1);
        QCOMPARE(openRun(run().toStdString()).summary.state, RunState::stopped);
        const Ended late = test::weft({"tell", run(), "pause"}, here());
        QCOMPARE(late.code, 4);
        QVERIFY2(late.error.contains("the run was stopped at step"), qPrintable(late.error));
    }

    void isFollowedFromTheStartWithoutAGap() {
        QProcess follower;
        follower.setWorkingDirectory(here());
        follower.start(QString::fromStdString(weftProgram().string()), {"attach", run(), "--json"});
        QVERIFY(follower.waitForReadyRead(patience));
        const std::size_t seen = steps();
        QTRY_VERIFY_WITH_TIMEOUT(steps() > seen + 3, patience);
        ::kill(static_cast<pid_t>(process_->processId()), SIGINT);
        QVERIFY(process_->waitForFinished(patience));
        QVERIFY(QString(process_->readAllStandardError()).contains("weft resume"));
        QVERIFY(follower.waitForFinished(patience));
        QCOMPARE(follower.exitCode(), 0);
        std::int64_t step = 0;
        for (const QByteArray& line : follower.readAllStandardOutput().split('\n')) {
            const QJsonObject event = QJsonDocument::fromJson(line).object();
            // An evaluation is told too, under the step it follows.
            if (event["event"].toString() == "step" && event["split"].toString() == "train") {
                QCOMPARE(event["step"].toInteger(), ++step);
            }
        }
        QCOMPARE(step, static_cast<std::int64_t>(steps()));
    }
};

std::unique_ptr<QObject> makeTestTell() { return std::make_unique<TestTell>(); }
#include "tst_tell.moc"
