// SPDX-License-Identifier: Apache-2.0
#include "cli/weft_process.h"
#include "support/places.h"
#include "support/ranks.h"
#include "support/test_main.h"
#include <weft/runs.h>

#include <QDateTime>
#include <QDir>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <memory>

using namespace weft;
using namespace weft::test;

namespace {

QStringList checkpointsOf(const QString& run) {
    return QDir(run + "/checkpoints").entryList({"*.safetensors"}, QDir::Files, QDir::Name);
}

/// Every file and folder in it: when it was last changed, and the file's bytes.
QMap<QString, QPair<QDateTime, QByteArray>> standOf(const QString& run) {
    QMap<QString, QPair<QDateTime, QByteArray>> stand;
    stand[run] = {QFileInfo(run).lastModified(), {}};
    QDirIterator all(run, QDir::AllEntries | QDir::NoDotAndDotDot, QDirIterator::Subdirectories);
    while (all.hasNext()) {
        const QString path = all.next();
        stand[path] = {all.fileInfo().lastModified(),
                       all.fileInfo().isFile() ? bytesOf(path) : QByteArray()};
    }
    return stand;
}

} // namespace

class TestRun : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> folder_;

    [[nodiscard]] QString here() const { return folder_->path(); }
    [[nodiscard]] QString design(const SmallDesign& small = {}) const {
        writeDesign(here() + "/small.weft", small);
        return "small.weft";
    }

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void whatDiedBeforeItSavedIsBegunAgainInItsPlace() {
        const QStringList run{
            "run",       design({.steps = 1'000'000, .checkpointEvery = 1'000'000}),
            "--devices", "cpu:0",
            "--run",     "kept"};
        QProcess first;
        first.setWorkingDirectory(here());
        first.start(QString::fromStdString(weftProgram().string()), run);
        QTRY_VERIFY_WITH_TIMEOUT(lossesOf(here() + "/kept").size() > 3, 60'000);
        const Ended meanwhile = test::weft(run, here());
        QVERIFY2(meanwhile.code == 2 && meanwhile.error.contains("is active in process"),
                 qPrintable(meanwhile.error));
        first.kill();
        QVERIFY(first.waitForFinished());
        QVERIFY(checkpointsOf(here() + "/kept").isEmpty());
        // Another design is none of its business.
        const Ended other = test::weft(run + QStringList{"--set", "training.steps=3"}, here());
        QVERIFY2(other.code == 2 && other.error.contains("this folder is not empty"),
                 qPrintable(other.error));
        QProcess second;
        second.setWorkingDirectory(here());
        second.start(QString::fromStdString(weftProgram().string()), run);
        QTRY_COMPARE_WITH_TIMEOUT(openRun((here() + "/kept").toStdString()).attempts.size(),
                                  std::size_t{2}, 60'000);
        QCOMPARE(test::weft({"tell", "kept", "stop"}, here()).code, 0);
        QVERIFY(second.waitForFinished(60'000));
        QCOMPARE(second.exitCode(), 0);
        QCOMPARE(checkpointsOf(here() + "/kept").size(), 1);
    }

    void trainsADesignAndKeepsTheRun() {
        const Ended ended = test::weft({"run", design()}, here());
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        const QStringList runs = runsIn(here());
        QCOMPARE(runs.size(), 1);
        const std::vector<double> losses = lossesOf(runs[0]);
        QCOMPARE(losses.size(), std::size_t{12});
        QVERIFY(losses.back() < losses.front());
        QCOMPARE(checkpointsOf(runs[0]).size(), 2);
        const Ended shown = test::weft({"show", "--json", runs[0]}, here());
        const auto kept = QJsonDocument::fromJson(shown.out.toUtf8()).object()["checkpoints"];
        QCOMPARE(kept.toArray().size(), 2); // the last is not written a second time
    }

    void trainsTheSameOnTwoAndThreeDevices_data() {
        QTest::addColumn<QString>("assign");
        QTest::addColumn<QString>("devices");
        for (const char* word : {"data", "model.stack", "model.add"}) {
            QTest::addRow("%s on two", word) << QString(word) << QString("cpu:0,cpu:1");
            QTest::addRow("%s on three", word) << QString(word) << QString("cpu:0,cpu:1,cpu:2");
        }
    }
    void trainsTheSameOnTwoAndThreeDevices() {
        QFETCH(const QString, assign);
        QFETCH(const QString, devices);
        const Ended one =
            test::weft({"run", design({.assign = assign}), "--devices", "cpu:0"}, here());
        QVERIFY2(one.code == 0, qPrintable(one.error));
        const Ended many =
            test::weft({"run", design({.assign = assign}), "--devices", devices}, here());
        QVERIFY2(many.code == 0, qPrintable(many.error));
        const QStringList runs = runsIn(here());
        QCOMPARE(runs.size(), 2);
        const double difference = largestDifference(lossesOf(runs[0]), lossesOf(runs[1]));
        QVERIFY2(difference < 1e-3, qPrintable(QString::number(difference)));
    }

    void sumsUpGradientsAndAppliesTheirMean() {
        const QStringList sync{"--set", "training.sync_every=3"};
        const QString file = design({.steps = 9, .assign = "batch"});
        for (const QString& devices : {QString("cpu:0"), QString("cpu:0,cpu:1,cpu:2")}) {
            const Ended ended =
                test::weft(QStringList{"run", file, "--devices", devices} + sync, here());
            QVERIFY2(ended.code == 0, qPrintable(ended.error));
        }
        const Ended plain = test::weft({"run", file, "--devices", "cpu:0"}, here());
        QVERIFY2(plain.code == 0, qPrintable(plain.error));
        const QStringList runs = runsIn(here());
        QCOMPARE(runs.size(), 3);
        const std::vector<double> one = lossesOf(runs[0]);
        const double difference = largestDifference(one, lossesOf(runs[1]));
        QVERIFY2(difference < 1e-3, qPrintable(QString::number(difference)));
        const std::vector<double> every = lossesOf(runs[2]);
        QCOMPARE(one.size(), std::size_t{9});
        QCOMPARE(one[0], every[0]);
        QVERIFY(one[1] != every[1] && one[8] > every[8]);
        // A norm is told of what is applied.
        const QByteArray metrics = bytesOf(runs[0] + "/metrics.jsonl");
        QCOMPARE(metrics.count("gradient_norm"), 3);
        const Ended proved = test::weft(
            QStringList{"prove", file, "--steps", "7", "--devices", "cpu:0,cpu:1"} + sync, here());
        QVERIFY2(proved.code == 0, qPrintable(proved.out + proved.error));
    }

    /// A pending sum can only be continued with the period in which it began.
    void goesOnInsideAPeriodByThatPeriodAlone() {
        const QString file = design({.steps = 3, .syncEvery = 4});
        QCOMPARE(test::weft({"run", file, "--devices", "cpu:0"}, here()).code, 0);
        const QString run = runsIn(here()).front();
        const QStringList goOn{"resume", run, "--set", "training.steps=5", "--set"};
        const Ended other = test::weft(goOn + QStringList{"training.sync_every=2"}, here());
        QVERIFY2(other.code == 3 && other.error.contains("sync_every 4") &&
                     other.error.contains("sync_every 2"),
                 qPrintable(other.error));
        const Ended own = test::weft(goOn + QStringList{"training.seed=3"}, here());
        QVERIFY2(own.code == 0, qPrintable(own.error));
    }

    /// The next resume goes on as the last one was told, and everybody counts to its end.
    void anotherDesignOfARunIsItsOwnFromThenOn() {
        QCOMPARE(test::weft({"run", design({.steps = 3}), "--devices", "cpu:0"}, here()).code, 0);
        const QString run = runsIn(here()).front();
        const QByteArray first = bytesOf(run + "/design.weft");
        const Ended resumed = test::weft({"resume", run, "--set", "training.steps=5"}, here());
        QVERIFY2(resumed.out.contains("step 5/5"), qPrintable(resumed.out));
        QCOMPARE(bytesOf(run + "/design.1.weft"), first);
        QVERIFY(bytesOf(run + "/design.weft").contains("\"steps\": 5"));
        const QByteArray log = bytesOf(run + "/log.txt");
        QVERIFY2(log.contains("the earlier design is saved as design.1.weft; design: steps 3 -> 5"),
                 log);
        const Ended attached = test::weft({"attach", run}, here());
        QVERIFY2(attached.out.contains("step 5/5"), qPrintable(attached.out));
        QCOMPARE(test::weft({"resume", run}, here()).code, 0);
        QVERIFY(!QFile::exists(run + "/design.2.weft"));
    }

    void resumesBitForBit() {
        const Ended ended = test::weft({"run", design(), "--devices", "cpu:0"}, here());
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        const QString run = runsIn(here()).front();
        const QStringList kept = checkpointsOf(run);
        QCOMPARE(kept.size(), 2);
        const QString last = run + "/checkpoints/" + kept[1];
        const QByteArray before = bytesOf(last);
        QVERIFY(!before.isEmpty() && QFile::remove(last));
        const Ended resumed = test::weft({"resume", run, "--devices", "cpu:0"}, here());
        QVERIFY2(resumed.code == 0, qPrintable(resumed.error));
        QCOMPARE(bytesOf(last), before);
    }

    void isPlannedForTheMachineThatItBeganOn_data() {
        QTest::addColumn<QByteArray>("was");
        QTest::addColumn<QByteArray>("written");
        QTest::addColumn<bool>("isKept");
        QTest::addRow("other rates now")
            << QByteArray("\"latency_ns\": ") << QByteArray("\"latency_ns\": 77") << true;
        QTest::addRow("other hardware now")
            << QByteArray("\"cores\": ") << QByteArray("\"cores\": 77") << false;
        QTest::addRow("spoilt") << QByteArray("\"links\": [") << QByteArray("\"links\": [1, ")
                                << false;
    }
    void isPlannedForTheMachineThatItBeganOn() {
        QFETCH(const QByteArray, was);
        QFETCH(const QByteArray, written);
        QFETCH(const bool, isKept);
        const Ended ended = test::weft({"run", design({.steps = 3})}, here());
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        const QString run = runsIn(here()).front();
        const QByteArray before = bytesOf(run + "/machine.json");
        QVERIFY(before.contains(was));
        QByteArray other = before;
        other.replace(was, written);
        QFile file(run + "/machine.json");
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(other) == other.size());
        file.close();
        const Ended resumed = test::weft({"resume", run}, here());
        QVERIFY2(resumed.code == 0, qPrintable(resumed.error));
        QCOMPARE(bytesOf(run + "/machine.json"), isKept ? other : before);
    }

    /// Where its data lies and what computes it: a run goes on so from anywhere, unless told
    /// otherwise, and nothing is predicted of kernels that are not its own.
    void goesOnAsItWasBegun() {
        const Ended ended = test::weft({"run", design({.steps = 3}), "--data", "more", "--backend",
                                        "reference", "--run", "told"},
                                       here());
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        const QString run = here() + "/told";
        const auto begun = [&] {
            return QJsonDocument::fromJson(bytesOf(run + "/begin.json")).object();
        };
        const QJsonObject first = begun();
        QCOMPARE(first["backend"].toString(), QString("reference"));
        QCOMPARE(QDir::cleanPath(first["folders"][0].toString()), here());
        QCOMPARE(first["folders"][1].toString(), here() + "/more");
        const QByteArray selected = bytesOf(run + "/selection.json");
        const QStringList goOn{"resume", run, "--set", "training.steps=5"};
        const Ended resumed = test::weft(goOn, QDir::tempPath());
        QVERIFY2(resumed.code == 0, qPrintable(resumed.error));
        QCOMPARE(bytesOf(run + "/selection.json"), selected);
        QCOMPARE(begun(), first);
        const Ended refused = test::weft({"compare", run}, here());
        QVERIFY2(refused.code == 2 && refused.error.contains("the backend reference runs the step"),
                 qPrintable(refused.error));
        const Ended own = test::weft(
            {"resume", run, "--set", "training.steps=7", "--backend", "cpu", "--data", "moved"},
            here());
        QVERIFY2(own.code == 0, qPrintable(own.error));
        const QJsonArray folders = begun()["folders"].toArray();
        QCOMPARE(folders.size(), 3);
        QCOMPARE(folders[0].toString(), here() + "/moved");
        QCOMPARE(folders[2].toString(), here() + "/more");
        QVERIFY(bytesOf(run + "/selection.json") != selected);
        const Ended compared = test::weft({"compare", run}, here());
        QVERIFY2(compared.code == 0, qPrintable(compared.error));
    }

    void resumesOnOtherDevices() {
        const Ended ended =
            test::weft({"run", design({.assign = "model.stack"}), "--devices", "cpu:0"}, here());
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        const QString run = runsIn(here()).front();
        const std::vector<double> whole = lossesOf(run);
        QVERIFY(QFile::remove(run + "/checkpoints/" + checkpointsOf(run)[1]));
        const Ended resumed = test::weft({"resume", run, "--devices", "cpu:0,cpu:1"}, here());
        QVERIFY2(resumed.code == 0, qPrintable(resumed.error));
        const double difference = largestDifference(whole, lossesOf(run));
        QVERIFY2(difference < 1e-3, qPrintable(QString::number(difference)));
    }

    void leavesARunAsItIsThatCannotGoOn_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<int>("code");
        QTest::addRow("no such backend") << QStringList{"--devices", "tpu:0"} << 4;
        QTest::addRow("a device that is not here") << QStringList{"--devices", "cuda:77"} << 4;
        QTest::addRow("no such setting") << QStringList{"--set", "training.sleps=4"} << 2;
        QTest::addRow("a design with errors") << QStringList{"--set", "conv.filters=0"} << 3;
        QTest::addRow("no such sink") << QStringList{"--sink", "nowhere"} << 2;
        QTest::addRow("on ranks") << QStringList{"--ranks", "2", "--devices", "cpu:0,tpu:1"} << 4;
    }
    void leavesARunAsItIsThatCannotGoOn() {
        QFETCH(const QStringList, options);
        QFETCH(const int, code);
        if (options.contains("--ranks") && !whyNoRanks().isEmpty()) {
            QSKIP(qPrintable(whyNoRanks()));
        }
        const Ended ended = test::weft({"run", design({.steps = 3})}, here());
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        const QString run = runsIn(here())[0];
        const auto before = standOf(run);
        QVERIFY(before.size() > 5);
        const Ended refused = test::weft(QStringList{"resume", run} + options, here());
        QVERIFY2(refused.code == code, qPrintable(refused.error));
        QVERIFY2(!refused.error.contains("PMIX"), qPrintable(refused.error));
        QCOMPARE(standOf(run), before);
        QCOMPARE(openRun(run.toStdString()).summary.state, RunState::done);
    }

    void goesOnWithinAnEpochWithAnotherBatch() {
        const Ended ended = test::weft({"run", design(), "--devices", "cpu:0"}, here());
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        const QString run = runsIn(here()).front();
        QVERIFY(QFile::remove(run + "/checkpoints/" + checkpointsOf(run)[1]));
        QByteArray kept = bytesOf(run + "/design.weft");
        QVERIFY(kept.contains("\"batch\": 30"));
        kept.replace("\"batch\": 30", "\"batch\": 20");
        QFile file(run + "/design.weft");
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(kept) == kept.size());
        file.close();
        const Ended resumed = test::weft({"resume", run, "--devices", "cpu:0"}, here());
        QVERIFY2(resumed.code == 0, qPrintable(resumed.error));
        const auto losses = lossesByStep(run);
        QCOMPARE(losses.size(), std::size_t{12});
        QVERIFY(losses.at(12) < losses.at(1));
    }

    void aRequeuedJobTakesItsRunFromItsFormerSelf() {
        writeDesign(here() + "/small.weft", {.steps = endless, .checkpointEvery = 3});
        QProcess former;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("SLURM_JOB_ID", "71");
        former.setProcessEnvironment(environment);
        former.setWorkingDirectory(here());
        const QString program = QString::fromStdString(weftProgram().string());
        former.start(program, {"run", "small.weft", "--devices", "cpu:0", "--run", "job-71"});
        const QString run = here() + "/job-71";
        QTRY_VERIFY_WITH_TIMEOUT(!checkpointsOf(run).isEmpty(), patience);
        QProcess now;
        environment.insert("SLURM_RESTART_COUNT", "1");
        now.setProcessEnvironment(environment);
        now.setWorkingDirectory(here());
        now.start(program, {"resume", run, "--devices", "cpu:0"});
        QVERIFY(former.waitForFinished(patience));
        QCOMPARE(former.exitCode(), 1);
        const QString said = QString::fromUtf8(former.readAllStandardError());
        QVERIFY2(said.contains("a later attempt has resumed this run"), qPrintable(said));
        const auto kept = checkpointsOf(run).size();
        QTRY_VERIFY_WITH_TIMEOUT(checkpointsOf(run).size() > kept, patience);
        ::kill(static_cast<pid_t>(now.processId()), SIGINT);
        QVERIFY(now.waitForFinished(patience));
        QCOMPARE(now.exitCode(), 0);
        QCOMPARE(openRun(run.toStdString()).summary.state, RunState::stopped);
    }

    void losesNothingToAKill() {
        for (int kill = 0; kill < 5; ++kill) {
            QTemporaryDir folder;
            writeDesign(folder.path() + "/small.weft", {.steps = 1'000'000, .checkpointEvery = 3});
            QProcess process;
            process.setWorkingDirectory(folder.path());
            process.start(QString::fromStdString(weftProgram().string()),
                          {"run", "small.weft", "--devices", "cpu:0"});
            const auto wrote = [&] {
                const QStringList runs = runsIn(folder.path());
                return !runs.isEmpty() && checkpointsOf(runs[0]).size() > 2 + kill;
            };
            QTRY_VERIFY_WITH_TIMEOUT(wrote(), 60'000);
            ::kill(static_cast<pid_t>(process.processId()), SIGKILL);
            QVERIFY(process.waitForFinished());
            const Run run = openRun(runsIn(folder.path())[0].toStdString());
            QCOMPARE(run.summary.state, RunState::lost);
            // The last one is whole: an evaluation loads it.
            const QStringList kept = checkpointsOf(runsIn(folder.path())[0]);
            const Ended loaded =
                test::weft({"eval", "small.weft", "--devices", "cpu:0", "--weights",
                            runsIn(folder.path())[0] + "/checkpoints/" + kept.back()},
                           folder.path());
            QVERIFY2(loaded.code == 0, qPrintable(loaded.error));
        }
    }

    /// On the devices that it was begun on, without being told: with others sums have other orders.
    void goesOnWhereItWasBegun() {
        writeDesign(here() + "/small.weft", {.steps = 30, .checkpointEvery = 5, .assign = "data"});
        const QStringList words{"run", "small.weft", "--devices", "cpu:0,cpu:1"};
        QCOMPARE(test::weft(words, here()).code, 0);
        QCOMPARE(test::weft(words + QStringList{"--set", "training.steps=10"}, here()).code, 0);
        const QStringList runs = runsIn(here());
        QCOMPARE(runs.size(), 2);
        const Ended resumed = test::weft({"resume", runs[1], "--set", "training.steps=30"}, here());
        QVERIFY2(resumed.code == 0, qPrintable(resumed.error));
        QCOMPARE(lossesOf(runs[1]), lossesOf(runs[0]));
    }

    void finishesTheStepAndSavesWhenAsked() {
        writeDesign(here() + "/small.weft", {.steps = 1'000'000, .checkpointEvery = 1'000'000});
        QProcess process;
        process.setWorkingDirectory(here());
        process.start(QString::fromStdString(weftProgram().string()),
                      {"run", "small.weft", "--devices", "cpu:0"});
        QTRY_VERIFY_WITH_TIMEOUT(!runsIn(here()).isEmpty() && !lossesOf(runsIn(here())[0]).empty(),
                                 60'000);
        ::kill(static_cast<pid_t>(process.processId()), SIGTERM);
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 0);
        QVERIFY(QString(process.readAllStandardError()).contains("weft resume"));
        QCOMPARE(checkpointsOf(runsIn(here())[0]).size(), 1);
        QCOMPARE(openRun(runsIn(here())[0].toStdString()).summary.state, RunState::stopped);
    }

    void namesWhatIsWrongWithADesign() {
        const QString path = here() + "/" + design();
        QByteArray text = bytesOf(path);
        text.replace("flat.y -> fc1.x", "relu.y -> fc1.x");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        const Ended checked = test::weft({"check", "small.weft"}, here());
        QCOMPARE(checked.code, 3);
        QVERIFY2(checked.out.contains("fc1") && checked.out.contains("insert flatten"),
                 qPrintable(checked.out));
        const Ended run = test::weft({"run", "small.weft"}, here());
        QCOMPARE(run.code, 3);
        QVERIFY(runsIn(here()).isEmpty());
    }

    void namesAFileThatIsNotThere() {
        const Ended ended = test::weft({"run", "nowhere.weft"}, here());
        QCOMPARE(ended.code, 4);
        QVERIFY2(ended.error.contains("nowhere.weft"), qPrintable(ended.error));
    }
};

std::unique_ptr<QObject> makeTestRun() { return std::make_unique<TestRun>(); }
#include "tst_run.moc"
