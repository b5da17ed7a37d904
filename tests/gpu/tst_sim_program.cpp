// SPDX-License-Identifier: Apache-2.0
// The program with the stand-in for a GPU in it: it trains, is proved, observed, paused, killed and
// resumed as on any device.

#include "cli/weft_process.h"
#include "support/places.h"
#include <weft/runs.h>

#include <signal.h>

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace weft;
using namespace weft::test;

namespace {

QString program() {
    return QString::fromStdString((buildFolder() / "tests/gpu/weft-sim").string());
}

} // namespace

class TestSimProgram : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> folder_;

    [[nodiscard]] QString here() const { return folder_->path(); }
    [[nodiscard]] Ended sim(const QStringList& arguments) const {
        return startedBy(program(), {}, arguments, here());
    }
    /// Trains `small.weft` on these devices; the losses of its steps.
    [[nodiscard]] std::vector<double> trained(const QString& devices) const {
        const QStringList before = runsIn(here());
        const Ended ended = sim({"run", "small.weft", "--devices", devices});
        if (ended.code != 0) {
            QTest::qFail(qPrintable(ended.error), __FILE__, __LINE__);
            return {};
        }
        return lossesOf(runsIn(here()).last());
    }

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void isListed() {
        const Ended ended = sim({"devices"});
        QCOMPARE(ended.code, 0);
        QVERIFY2(ended.out.contains("sim:1"), qPrintable(ended.out));
    }

    void trainsLikeTheProcessor_data() {
        QTest::addColumn<QString>("assign");
        QTest::addColumn<QString>("devices");
        QTest::newRow("one") << "follow"
                             << "sim:0";
        QTest::newRow("two by data") << "data"
                                     << "sim:0,sim:1";
        QTest::newRow("two by model") << "model.stack"
                                      << "sim:0,sim:1";
        QTest::newRow("beside the processor") << "data"
                                              << "sim:0,cpu:0";
    }
    void trainsLikeTheProcessor() {
        QFETCH(QString, assign);
        QFETCH(QString, devices);
        writeDesign(here() + "/small.weft", {});
        const std::vector<double> one = trained("cpu:0");
        QVERIFY(one.size() > 10);
        writeDesign(here() + "/small.weft", {.assign = assign});
        const double difference = largestDifference(one, trained(devices));
        QVERIFY2(difference < 1e-4, qPrintable(QString::number(difference)));
    }

    void isProved() {
        writeDesign(here() + "/small.weft", {.assign = "data"});
        const Ended ended = sim({"prove", "small.weft", "--devices", "sim:0,sim:1"});
        QVERIFY2(ended.code == 0, qPrintable(ended.out + ended.error));
    }

    /// What no kernel of the device serves is said to go through the host.
    void explainsWhatGoesThroughTheHost() {
        writeDesign(here() + "/small.weft", {});
        const Ended ended =
            sim({"explain", "small.weft", "--devices", "sim:0", "--stage", "kernels"});
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        QVERIFY2(ended.out.contains("reference on the host"), qPrintable(ended.out));
    }

    void isObservedPausedKilledAndResumed() {
        writeDesign(here() + "/small.weft",
                    {.steps = 400, .checkpointEvery = 20, .assign = "data"});
        const std::vector<double> whole = trained("sim:0,sim:1");
        QCOMPARE(whole.size(), 400U);
        const qsizetype before = runsIn(here()).size();

        QProcess process;
        process.setWorkingDirectory(here());
        process.start(program(), {"run", "small.weft", "--devices", "sim:0,sim:1"});
        QTRY_VERIFY_WITH_TIMEOUT(runsIn(here()).size() > before, patience);
        const QString run = runsIn(here()).last();
        const auto tell = [&](const QString& wish, const QString& layer = {}) {
            return sim(QStringList{"tell", run, wish} +
                       (layer.isEmpty() ? QStringList() : QStringList{layer}))
                .code;
        };
        QTRY_COMPARE_WITH_TIMEOUT(tell("pause"), 0, patience);
        QTRY_VERIFY_WITH_TIMEOUT(openRun(run.toStdString()).summary.isPaused, patience);
        QCOMPARE(tell("observe", "conv"), 0);
        QCOMPARE(tell("resume"), 0);
        QTRY_VERIFY_WITH_TIMEOUT(
            QDir(run + "/tensors").entryList().join(' ').contains("conv.y.npy"), patience);
        QTRY_VERIFY_WITH_TIMEOUT(!QDir(run + "/checkpoints").entryList(QDir::Files).isEmpty(),
                                 patience);
        ::kill(static_cast<pid_t>(process.processId()), SIGKILL);
        QVERIFY(process.waitForFinished(patience));

        const Ended resumed = sim({"resume", run});
        QVERIFY2(resumed.code == 0, qPrintable(resumed.error));
        QCOMPARE(lossesOf(run), whole);
    }
};

std::unique_ptr<QObject> makeTestSimProgram() { return std::make_unique<TestSimProgram>(); }
#include "tst_sim_program.moc"
