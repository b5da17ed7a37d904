// SPDX-License-Identifier: Apache-2.0
// Disks that are full, folders that cannot be written or vanish, data that is gone: a message that
// names them, and nothing of what was written is lost.
#include "../cli/weft_process.h"
#include "support/places.h"
#include "support/test_main.h"
#include <weft/runs.h>

#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

using namespace weft;
using namespace weft::test;

namespace {

QString program() { return QString::fromStdString(weftProgram().string()); }

QStringList checkpointsOf(const QString& run) {
    return QDir(run + "/checkpoints").entryList({"*.safetensors"}, QDir::Files, QDir::Name);
}

} // namespace

class TestDisks : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> folder_;

    [[nodiscard]] QString here() const { return folder_->path(); }

    /// Every checkpoint that is there is whole: an evaluation loads it.
    void expectWhole(const QString& run) const {
        for (const QString& name : checkpointsOf(run)) {
            const Ended loaded = test::weft({"eval", "small.weft", "--devices", "cpu:0",
                                             "--weights", run + "/checkpoints/" + name},
                                            here());
            QVERIFY2(loaded.code == 0, qPrintable(loaded.error));
        }
    }

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void aFullDiskIsNamedAndWhatWasSavedStaysWhole() {
        QDir(here()).mkdir("runs");
        const QString disk = here() + "/runs";
        if (QProcess::execute("mount", {"-t", "tmpfs", "-o", "size=600k", "tmpfs", disk}) != 0) {
            QSKIP("needs the right to mount a small disk");
        }
        const auto unmount = qScopeGuard([&] { QProcess::execute("umount", {"-l", disk}); });
        writeDesign(here() + "/small.weft", {.steps = 200, .checkpointEvery = 1});
        const Ended ended = test::weft({"run", "small.weft", "--devices", "cpu:0"}, here());
        QCOMPARE(ended.code, 4);
        QVERIFY2(ended.error.contains("No space left") && ended.error.contains("free space"),
                 qPrintable(ended.error));
        QVERIFY2(ended.error.contains("checkpoints/step-"), qPrintable(ended.error));
        const QString run = runsIn(here())[0];
        QVERIFY(!checkpointsOf(run).isEmpty());
        expectWhole(run);
        // With space again it goes on from there.
        QCOMPARE(QProcess::execute("mount", {"-o", "remount,size=60m", disk}), 0);
        writeDesign(run + "/design.weft", {.steps = static_cast<int>(checkpointsOf(run).size()) + 3,
                                           .checkpointEvery = 9});
        const Ended resumed = test::weft({"resume", run, "--devices", "cpu:0"}, here());
        QVERIFY2(resumed.code == 0, qPrintable(resumed.error));
    }

    void aLimitOnFilesIsNamed() {
        writeDesign(here() + "/small.weft", {.steps = 50, .checkpointEvery = 1});
        const Ended ended = startedBy(
            "bash", {"-c", "ulimit -f 16; exec \"$0\" run small.weft --devices cpu:0", program()},
            {}, here());
        QCOMPARE(ended.code, 4);
        QVERIFY2(ended.error.contains("ulimit -f"), qPrintable(ended.error));
        QVERIFY(checkpointsOf(runsIn(here())[0]).isEmpty());
    }

    void aFolderThatCannotBeWrittenIsNamed() {
        writeDesign(here() + "/small.weft", {});
        QFile file(here() + "/runs");
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        const Ended ended = test::weft({"run", "small.weft", "--devices", "cpu:0"}, here());
        QCOMPARE(ended.code, 4);
        QVERIFY2(ended.error.contains("runs") && ended.error.contains("cannot create the folder"),
                 qPrintable(ended.error));
    }

    void aFolderThatMayNotBeWrittenIsNamed() {
        if (::geteuid() == 0) {
            QSKIP("root may write everywhere");
        }
        writeDesign(here() + "/small.weft", {});
        QDir(here()).mkdir("runs");
        QFile::setPermissions(here() + "/runs", QFile::ReadOwner | QFile::ExeOwner);
        const Ended ended = test::weft({"run", "small.weft", "--devices", "cpu:0"}, here());
        QCOMPARE(ended.code, 4);
        QVERIFY2(ended.error.contains("change its permissions"), qPrintable(ended.error));
    }

    void aRunDirectoryThatVanishesEndsTheRun() {
        writeDesign(here() + "/small.weft", {.steps = endless, .checkpointEvery = 50});
        QProcess process;
        process.setWorkingDirectory(here());
        process.start(program(), {"run", "small.weft", "--devices", "cpu:0"});
        const auto hasSaved = [&] {
            return !runsIn(here()).isEmpty() && !checkpointsOf(runsIn(here())[0]).isEmpty();
        };
        QTRY_VERIFY_WITH_TIMEOUT(hasSaved(), patience);
        QVERIFY(QDir().rename(runsIn(here())[0], here() + "/elsewhere"));
        QVERIFY(process.waitForFinished(patience));
        QCOMPARE(process.exitCode(), 4);
        const QString error = process.readAllStandardError();
        QVERIFY2(error.contains("checkpoints/step-"), qPrintable(error));
        expectWhole(here() + "/elsewhere");
    }

    void aRunWhoseDataVanishedStaysAsItWas() {
        writeDesign(here() + "/small.weft", {.steps = 4, .checkpointEvery = 4});
        const Ended ended = test::weft({"run", "small.weft", "--devices", "cpu:0"}, here());
        QVERIFY2(ended.code == 0, qPrintable(ended.error));
        const QString run = runsIn(here())[0];
        QFile design(run + "/design.weft");
        QVERIFY(design.open(QIODevice::ReadOnly));
        QByteArray text = design.readAll();
        design.close();
        const auto begin = text.indexOf(R"("kind": "digits")");
        QVERIFY(begin > 0);
        const auto end = text.indexOf('}', text.indexOf('}', begin) + 1);
        text.replace(begin, end - begin, R"("kind": "idx", "with": {"folder": "gone"})");
        QVERIFY(design.open(QIODevice::WriteOnly));
        design.write(text);
        design.close();
        const Ended resumed = test::weft({"resume", run, "--devices", "cpu:0"}, here());
        QCOMPARE(resumed.code, 4);
        QVERIFY2(resumed.error.contains("gone"), qPrintable(resumed.error));
        const Run opened = openRun(run.toStdString());
        QCOMPARE(opened.summary.state, RunState::done);
        QCOMPARE(opened.summary.attempts, 1U);
    }
};

std::unique_ptr<QObject> makeTestDisks() { return std::make_unique<TestDisks>(); }
#include "tst_disks.moc"
