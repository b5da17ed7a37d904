// SPDX-License-Identifier: Apache-2.0
#include "cli/weft_process.h"
#include "remote/packet.h"
#include "support/own_sshd.h"
#include "support/own_user.h"
#include "support/places.h"
#include "support/ranks.h"
#include "support/test_main.h"
#include <weft/hosts.h>
#include <weft/infer.h>
#include <weft/runs.h>
#include <weft/session.h>

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>
#include <map>
#include <memory>
#include <utility>

using namespace weft;
using namespace weft::test;

/// Runs on another host, behind a real ssh: begun, followed, told, looked into, gone on with.
class TestThere : public QObject {
    Q_OBJECT

    std::unique_ptr<OwnUser> folder_;
    std::unique_ptr<OwnSshd> sshd_;

    [[nodiscard]] QString here() const { return folder_->path(); }
    [[nodiscard]] QString there(const QString& run = {}) const {
        return folder_->filePath("there" + (run.isEmpty() ? QString() : "/" + run));
    }
    [[nodiscard]] static QString copyOf(const QString& run) {
        return QString::fromStdString(mirrorFolder({"far", run.toStdString()}).string());
    }
    [[nodiscard]] Ended weft(const QStringList& words) const { return test::weft(words, here()); }
    /// Begun there; its name.
    [[nodiscard]] QString begun(const SmallDesign& design, const QStringList& options = {}) const {
        return begunOn("far", design, here(), options);
    }
    [[nodiscard]] std::size_t stepsOf(const QString& run) const {
        return lossesOf(there(run)).size();
    }
    [[nodiscard]] QString stateOf(const QString& run) const {
        const auto summary = summaryOf(there(run).toStdString());
        return summary ? QString::fromUtf8(nameOf(summary->state)) : QStringLiteral("not begun");
    }
    /// Returns the first automatically copied file that differs from the original; empty if none
    /// does.
    [[nodiscard]] QString differenceOf(const QString& run) const {
        for (const QString& name : {QStringLiteral("design.weft"), QStringLiteral("begin.json"),
                                    QStringLiteral("machine.json"), QStringLiteral("figures.json"),
                                    QStringLiteral("events.0.weftlog"),
                                    QStringLiteral("metrics.jsonl"), QStringLiteral("log.txt")}) {
            if (bytesOf(there(run) + '/' + name) != bytesOf(copyOf(run) + '/' + name)) {
                return name;
            }
        }
        const QStringList spans = QDir(there(run) + "/spans.0").entryList(QDir::Files);
        for (const QString& name : spans) {
            if (bytesOf(there(run) + "/spans.0/" + name) !=
                bytesOf(copyOf(run) + "/spans.0/" + name)) {
                return "spans.0/" + name;
            }
        }
        return {};
    }

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<OwnUser>();
        sshd_ = std::make_unique<OwnSshd>();
        if (!sshd_->fault().isEmpty()) {
            QSKIP(qPrintable(sshd_->fault()));
        }
        const Ended added = addedHost("far", sshd_->via(), there());
        QVERIFY2(added.code == 0, qPrintable(added.error));
    }
    void cleanup() {
        // A test that failed leaves none behind that would go on for ever.
        for (const std::filesystem::path& run : livingRuns(there().toStdString())) {
            tellRun(run, "stop");
            const QString name = QString::fromStdString(run.filename().string());
            (void)QTest::qWaitFor([&] { return stateOf(name) != "living"; }, patience);
        }
        (void)weft({"host", "close", "far"});
        sshd_.reset();
    }

    void saysWhatAHostHas() {
        const Ended said = weft({"host", "check", "far"});
        QVERIFY2(said.code == 0, qPrintable(said.error));
        for (const char* const word :
             {"answers in", "Weft", "cpu", "MPI", "Slurm", "free", "clock"}) {
            QVERIFY2(said.out.contains(word, Qt::CaseInsensitive), qPrintable(word + said.out));
        }
    }

    void runsAndIsFollowedToItsEnd() {
        writeDesign(here() + "/small.weft", {.steps = 12, .checkpointEvery = 6});
        const Ended ended = weft({"run", "small.weft", "--on", "far", "--devices", "cpu:0"});
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        const QString run = QDir(there()).entryList(QDir::Dirs | QDir::NoDotAndDotDot).value(0);
        QVERIFY2(ended.out.contains("far:" + run) && ended.out.contains("done"),
                 qPrintable(ended.out));
        QCOMPARE(lossesOf(copyOf(run)), lossesOf(there(run)));
        QCOMPARE(lossesOf(copyOf(run)).size(), std::size_t{12});
        QVERIFY2(differenceOf(run).isEmpty(), qPrintable(differenceOf(run)));
        // Checkpoints are copied when they are opened.
        QVERIFY(!QDir(copyOf(run) + "/checkpoints").exists());
        const Ended shown = weft({"show", "far:" + run, "--weights", "conv.weight"});
        QVERIFY2(shown.code == 0 && shown.out.contains("conv.weight"), qPrintable(shown.error));
        QCOMPARE(QDir(copyOf(run) + "/checkpoints").entryList({"*.safetensors"}).size(), 1);
        QVERIFY(weft({"runs", "--on", "far"}).out.contains("done"));
        QCOMPARE(weft({"compare", "far:" + run}).code, 0);
        // It is asked here, by its copy.
        saveOutput({"picture", {1, 1, 28, 28}, std::vector<float>(28 * 28)},
                   folder_->filePath("black.npy").toStdString());
        const Ended asked = weft({"infer", "far:" + run, "--input", "black.npy"});
        QVERIFY2(asked.code == 0 && asked.out.contains("%"), qPrintable(asked.error));
        // Its log names files as they lie in any copy of it.
        for (const RunFile& file : openRun(there(run).toStdString()).checkpoints) {
            QVERIFY2(file.path.starts_with("checkpoints/"), file.path.c_str());
        }
    }

    void isToldAndLookedIntoAndGoesOn() {
        const QString run = begun({.steps = endless, .checkpointEvery = endless});
        const QString name = "far:" + run;
        QTRY_VERIFY_WITH_TIMEOUT(stepsOf(run) > 0, patience);
        QCOMPARE(weft({"tell", name, "pause"}).code, 0);
        QTRY_VERIFY_WITH_TIMEOUT(summaryOf(there(run).toStdString())->isPaused, patience);
        const std::size_t paused = stepsOf(run);
        QCOMPARE(weft({"tell", name, "observe", "conv"}).code, 0);
        QCOMPARE(weft({"tell", name, "step"}).code, 0);
        QTRY_COMPARE_WITH_TIMEOUT(stepsOf(run), paused + 1, patience);
        QTRY_VERIFY_WITH_TIMEOUT(weft({"show", name, "--tensor", "conv.y"}).out.contains("conv.y"),
                                 patience);
        const Ended refused = weft({"tell", name, "observe", "nowhere"});
        QVERIFY2(refused.code == 2 && refused.error.contains("nowhere"), qPrintable(refused.error));
        QCOMPARE(weft({"tell", name, "stop"}).code, 0);
        QTRY_COMPARE_WITH_TIMEOUT(stateOf(run), QString("stopped"), patience);
        const Ended late = weft({"tell", name, "pause"});
        QVERIFY2(late.code == 4 && late.error.contains("stopped"), qPrintable(late.error));
        const std::size_t stopped = stepsOf(run);
        const Ended resumed =
            weft({"resume", name, "--set", QString("training.steps=%1").arg(stopped + 5)});
        QVERIFY2(resumed.code == 0 && resumed.out.contains("done"), qPrintable(resumed.error));
        QCOMPARE(lossesOf(copyOf(run)).size(), stopped + 5);
        QVERIFY2(differenceOf(run).isEmpty(), qPrintable(differenceOf(run)));
    }

    void aCopyGoesOnHereAsANewRun() {
        const QString run = begun({.steps = 12, .checkpointEvery = 6});
        QTRY_COMPARE_WITH_TIMEOUT(stateOf(run), QString("done"), patience);
        QCOMPARE(weft({"attach", "far:" + run}).code, 0);
        const QStringList resume{"resume", copyOf(run), "--set", "training.steps=20"};
        const Ended none = weft(resume);
        QVERIFY2(none.code == 4 && none.error.contains("weft resume far:" + run + " --here"),
                 qPrintable(none.error));
        QVERIFY(runsIn(here()).isEmpty());
        QStringList before = QDir(copyOf(run)).entryList(QDir::NoDotAndDotDot | QDir::AllEntries);
        before << "checkpoints";
        before.sort();
        const Ended resumed =
            weft({"resume", "far:" + run, "--here", "--set", "training.steps=20"});
        QVERIFY2(resumed.code == 0 && resumed.out.contains("a new run that continues from step 12"),
                 qPrintable(resumed.error + resumed.out));
        QCOMPARE(runsIn(here()).size(), 1);
        const std::map<std::int64_t, double> losses = lossesByStep(runsIn(here()).front());
        QCOMPARE(losses.begin()->first, 13);
        QCOMPARE(losses.size(), std::size_t{8});
        QVERIFY(differenceOf(run).isEmpty());
        QCOMPARE(QDir(copyOf(run)).entryList(QDir::NoDotAndDotDot | QDir::AllEntries), before);
        const Ended named = weft(resume + QStringList{"--run", here() + "/named"});
        QVERIFY2(named.code == 0, qPrintable(named.error));
        QCOMPARE(lossesByStep(here() + "/named"), losses);
        // Bit for bit what it would have come to there.
        const Ended there = weft({"resume", "far:" + run, "--set", "training.steps=20"});
        QVERIFY2(there.code == 0, qPrintable(there.error));
        const std::map<std::int64_t, double> same = lossesByStep(copyOf(run));
        QCOMPARE(same.rbegin()->first, losses.rbegin()->first);
        QCOMPARE(same.rbegin()->second, losses.rbegin()->second);
        // And on by itself.
        const Ended further =
            weft({"resume", runsIn(here()).front(), "--set", "training.steps=22"});
        QVERIFY2(further.code == 0, qPrintable(further.error));
        QCOMPARE(lossesByStep(runsIn(here()).front()).size(), std::size_t{10});
    }

    void whatIsLookedIntoComesBesideWhoeverFollows() {
        const QString run = begun({.steps = endless, .checkpointEvery = endless});
        QProcess attached;
        attached.setWorkingDirectory(here());
        attached.start(QString::fromStdString(weftProgram().string()), {"attach", "far:" + run});
        QTRY_VERIFY_WITH_TIMEOUT(!lossesOf(copyOf(run)).empty(), patience);
        QCOMPARE(weft({"tell", "far:" + run, "save"}).code, 0);
        QTRY_VERIFY_WITH_TIMEOUT(
            !QDir(there(run) + "/checkpoints").entryList({"*.safetensors"}).isEmpty(), patience);
        const Ended shown = weft({"show", "far:" + run, "--weights", "conv.weight"});
        QVERIFY2(shown.code == 0 && shown.out.contains("conv.weight"), qPrintable(shown.error));
        QCOMPARE(weft({"tell", "far:" + run, "stop"}).code, 0);
        QVERIFY(attached.waitForFinished(patience));
        QVERIFY2(differenceOf(run).isEmpty(), qPrintable(differenceOf(run)));
    }

    void aLineThatIsCutAgainAndAgainLosesNothing() {
        const QString run = begun({.steps = endless, .checkpointEvery = endless});
        QProcess attached;
        attached.setWorkingDirectory(here());
        attached.setProcessChannelMode(QProcess::MergedChannels);
        attached.start(QString::fromStdString(weftProgram().string()), {"attach", "far:" + run});
        const auto known = [&] { return lossesOf(copyOf(run)).size(); };
        for (int cut = 0; cut < 20; ++cut) {
            const std::size_t before = known();
            QTRY_VERIFY_WITH_TIMEOUT(known() > before, patience);
            sshd_->cutLines();
        }
        QCOMPARE(weft({"tell", "far:" + run, "stop"}).code, 0);
        QVERIFY(attached.waitForFinished(patience));
        const QString said = attached.readAll();
        QCOMPARE(attached.exitCode(), 0);
        QVERIFY2(said.contains("connection lost") && said.contains("connected again"),
                 qPrintable(said));
        QVERIFY2(differenceOf(run).isEmpty(), qPrintable(differenceOf(run)));
    }

    void aLineThatIsGoneLeavesTheCopyAndSaysSo() {
        const QString run = begun({.steps = 12, .checkpointEvery = 6});
        QTRY_COMPARE_WITH_TIMEOUT(stateOf(run), QString("done"), patience);
        QCOMPARE(weft({"attach", "far:" + run}).code, 0);
        (void)weft({"host", "close", "far"});
        sshd_->cutLines();
        sshd_->stop();
        const Ended shown = weft({"show", "far:" + run});
        QVERIFY2(shown.code == 0 && shown.error.contains("showing the local copy of the run") &&
                     shown.out.contains("loss"),
                 qPrintable(shown.error));
        const Ended listed = weft({"runs", "--on", "far"});
        QVERIFY2(listed.code == 0 && listed.out.contains(run) && listed.error.contains("refused") &&
                     listed.error.contains("showing the runs with a local copy"),
                 qPrintable(listed.error));
        QCOMPARE(weft({"host", "add", "other", "--via", sshd_->via()}).code, 0);
        QCOMPARE(weft({"runs", "--on", "other"}).code, 4);
        const Ended other = weft({"show", "far:another"});
        QVERIFY2(other.code == 4 && other.error.contains("refused"), qPrintable(other.error));
        QVERIFY(!QDir(copyOf("another")).exists());
    }

    void weightsToBeginWithAreSent() {
        writeDesign(here() + "/small.weft", {.steps = 12, .checkpointEvery = 6});
        QCOMPARE(weft({"run", "small.weft", "--devices", "cpu:0"}).code, 0);
        const QString checkpoints = runsIn(here()).front() + "/checkpoints/";
        const QString weights =
            checkpoints + QDir(checkpoints).entryList({"*.safetensors"}).value(0);
        const QString run = begun({.steps = 12, .checkpointEvery = 6}, {"--weights", weights});
        QTRY_COMPARE_WITH_TIMEOUT(stateOf(run), QString("done"), patience);
        const std::vector<double> anew = lossesOf(runsIn(here()).front());
        const std::vector<double> goneOn = lossesOf(there(run));
        QVERIFY(goneOn.front() < anew.front());
        const QString wrong = begun({.steps = 12}, {"--weights", "none.safetensors"});
        QVERIFY2(wrong.contains("none.safetensors"), qPrintable(wrong));
    }

    void dataIsLookedForThereBeforeAnythingBegins() {
        const QString sample =
            QString::fromStdString((sourceFolder() / "projects/tiny-gpt/design.weft").string());
        const QStringList run{"run", sample, "--on", "far", "--leave"};
        const Ended none = weft(run);
        QVERIFY2(none.code == 4 && none.error.contains("tinyshakespeare.txt"),
                 qPrintable(none.error));
        QDir(here()).mkpath("data-there/text");
        const QString data = folder_->filePath("data-there");
        const Ended missing = weft(run + QStringList{"--data-there", data});
        QVERIFY2(missing.code == 4 && missing.error.contains("tinyshakespeare.txt") &&
                     missing.error.contains("far"),
                 qPrintable(missing.error));
        const Ended half = weft(run + QStringList{"--data-there", "data-there"});
        QVERIFY2(half.code == 2 && half.error.contains("absolute path"), qPrintable(half.error));
        QVERIFY(QDir(there()).entryList(QDir::Dirs | QDir::NoDotAndDotDot).isEmpty());
        writeBytes(data + "/text/tinyshakespeare.txt", QByteArray(200'000, 'x'));
        const Ended begun = weft(run + QStringList{"--data-there", data});
        QVERIFY2(begun.code == 0, qPrintable(begun.error));
        QTRY_VERIFY_WITH_TIMEOUT(stepsOf(begun.out.trimmed().mid(4)) > 0, patience);
    }

    void whatCannotRunThereIsSaidBefore() {
        const QString refused = begun({.steps = 12}, {"--devices", "cuda:7"});
        QVERIFY2(refused.startsWith("refused") && refused.contains("cuda:7"), qPrintable(refused));
        QVERIFY(QDir(there()).entryList(QDir::Dirs | QDir::NoDotAndDotDot).isEmpty());
        const QString beside = begun({.steps = 12}, {"--run", "x"});
        QVERIFY2(beside.contains("--run does not apply to a run on another host"),
                 qPrintable(beside));
        const Ended here = weft({"run", "small.weft", "--send-data"});
        QVERIFY2(here.code == 2 && here.error.contains("--on"), qPrintable(here.error));
    }

    void whatSshSaysReachesItsUser() {
        sshd_->changeHostKey();
        const Ended changed = weft({"runs", "--on", "far"});
        QVERIFY2(changed.code == 4 && changed.error.contains("verification failed"),
                 qPrintable(changed.error));
    }

    void noWeftThereIsSaid() {
        QCOMPARE(weft({"host", "add", "far", "--program", "no-such-weft"}).code, 0);
        const Ended none = weft({"runs", "--on", "far"});
        QVERIFY2(none.code == 4 && none.error.contains("no-such-weft"), qPrintable(none.error));
        QCOMPARE(weft({"host", "add", "far", "--program", "true"}).code, 0);
        const Ended silent = weft({"runs", "--on", "far"});
        QVERIFY2(silent.code == 4 && silent.error.contains("the connection ended"),
                 qPrintable(silent.error));
    }

    void anEndThatSpeaksAnotherLineIsRefused() {
        Packet strange{.head = {{"id", 0}, {"wire", 99}, {"weft", "9.9"}}};
        const QString said = folder_->filePath("said");
        const auto hears = [&](const std::string& bytes) {
            writeBytes(said, QByteArray::fromStdString(bytes));
            const QString program = folder_->filePath("stranger");
            writeBytes(program, ("#!/bin/sh\ncat '" + said + "'\nexec sleep 60\n").toUtf8());
            QFile::setPermissions(program, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
            (void)weft({"host", "add", "near", "--via", "sh -c", "--program", program});
            return weft({"runs", "--on", "near"});
        };
        const Ended other = hears(packetBytes(strange));
        QVERIFY2(other.code == 4 && other.error.contains("9.9"), qPrintable(other.error));
        strange.head["wire"] = 1;
        std::string lies = packetBytes(strange);
        lies.back() = '?';
        const Ended garbled = hears(lies);
        QVERIFY2(garbled.code == 4 && garbled.error.contains("checksum"),
                 qPrintable(garbled.error));
        const Ended flood = hears(std::string(std::size_t{1} << 20U, 'z'));
        QVERIFY2(flood.code == 4 && flood.error.contains("64 KiB"), qPrintable(flood.error));
        const Ended between = hears(packetBytes(strange) + "weft: a word\n");
        for (const Ended& one : {other, garbled, flood, between}) {
            QVERIFY2(one.error.startsWith("weft: near: "), qPrintable(one.error));
        }
    }

    void namesThatLeadElsewhereAreRefused() {
        for (const char* const name : {"far:../x", "far:.jobs", "far:", "far:a/b", "far:x y"}) {
            const Ended refused = weft({"show", name});
            QVERIFY2(refused.code == 2 || refused.code == 4, name);
            QVERIFY2(!refused.error.isEmpty(), name);
        }
    }

    void aRunInAPodIsFollowedThroughKubectl() {
        const QString run = begun({.steps = 12, .checkpointEvery = 6});
        QTRY_COMPARE_WITH_TIMEOUT(stateOf(run), QString("done"), patience);
        const QString kubectl = folder_->filePath("kubectl");
        writeBytes(kubectl, "#!/bin/sh\n[ \"$1 $2\" = 'exec -i' ] || exit 1\n"
                            "while [ \"$1\" != -- ]; do shift; done\nshift\nexec \"$@\"\n");
        QFile::setPermissions(kubectl, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        const QString via = "'" + kubectl + "' exec -i job/lenet-launcher -- sh -c";
        QCOMPARE(addedHost("pod", via, there()).code, 0);
        QVERIFY(weft({"runs", "--on", "pod"}).out.contains(run));
        const Ended followed = weft({"attach", "pod:" + run});
        QVERIFY2(followed.code == 0 && followed.out.contains("done"), qPrintable(followed.error));
    }

    void ranksRunThereToo() {
        if (const QString why = whyNoRanks(); !why.isEmpty()) {
            QSKIP(qPrintable(why));
        }
        writeDesign(here() + "/small.weft", {.steps = 12, .checkpointEvery = 6, .assign = "data"});
        const Ended ended =
            weft({"run", "small.weft", "--on", "far", "--ranks", "2", "--devices", "cpu:0,cpu:1"});
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        const QString run = QDir(there()).entryList(QDir::Dirs | QDir::NoDotAndDotDot).value(0);
        QVERIFY(QFile::exists(copyOf(run) + "/events.1.weftlog"));
        QCOMPARE(bytesOf(copyOf(run) + "/events.1.weftlog"),
                 bytesOf(there(run) + "/events.1.weftlog"));
        // It goes on on as many.
        const Ended resumed = weft({"resume", "far:" + run, "--set", "training.steps=20"});
        QVERIFY2(resumed.code == 0, qPrintable(resumed.error));
        QCOMPARE(openRun(there(run).toStdString()).attempts.back().ranks, 2);
        QCOMPARE(lossesOf(copyOf(run)).size(), std::size_t{20});
    }
};

std::unique_ptr<QObject> makeTestThere() { return std::make_unique<TestThere>(); }
#include "tst_there.moc"
