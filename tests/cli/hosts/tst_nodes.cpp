// SPDX-License-Identifier: Apache-2.0
#include "cli/weft_process.h"
#include "support/own_user.h"
#include "support/places.h"
#include "support/test_main.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTest>
#include <csignal>
#include <memory>

using namespace weft;
using namespace weft::test;

/// Reports of the nodes behind a queue, requested by a job; scripts stand in for Slurm's programs
/// on a host that is this machine.
class TestNodes : public QObject {
    Q_OBJECT

    std::unique_ptr<OwnUser> folder_;
    QByteArray path_;

    [[nodiscard]] QString here() const { return folder_->path(); }
    [[nodiscard]] Ended weft(const QStringList& words) const { return test::weft(words, here()); }
    void program(const QString& name, const QString& script) const {
        const QString file = folder_->filePath("bin/" + name);
        QFile::remove(file);
        writeBytes(file, ("#!/bin/sh\n" + script + "\n").toUtf8());
        QFile::setPermissions(file, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    /// The job waits as often as it is asked about, then it has ended.
    void queueFor(int looks) const {
        program("squeue", QString("echo x >> '%1/looks'\n"
                                  "if [ $(wc -l < '%1/looks') -le %2 ]; then\n"
                                  "    echo '42|PENDING|N/A|gpu|Priority'\n"
                                  "else\n"
                                  "    echo 'Invalid job id specified' >&2; exit 1\n"
                                  "fi")
                              .arg(here())
                              .arg(looks));
    }
    [[nodiscard]] QString answer() const { return folder_->filePath("there/.nodes/gpu.json"); }

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<OwnUser>();
        path_ = qgetenv("PATH");
        QDir(here()).mkpath("bin");
        qputenv("PATH", folder_->filePath("bin").toUtf8() + ':' + path_);
        program("sinfo", "echo 'gpu*|up|0/2/0/2|3|8000|(null)|infinite'");
        // Only jobs that query nodes are run.
        program("sbatch", "case \"$PWD\" in */.nodes/*) sh job.sbatch > output.txt 2>&1;; esac\n"
                          "echo 42");
        program("scontrol", "echo 'JobId=42 JobState=COMPLETED ExitCode=0:0'");
        queueFor(0);
        QCOMPARE(addedHost("near", "sh -c", folder_->filePath("there"), {"--start", "slurm"}).code,
                 0);
    }
    void cleanup() { qputenv("PATH", path_); }

    void areAskedByAJobAndPlannedFor() {
        writeDesign(here() + "/small.weft", {});
        const QStringList run{"run", "small.weft", "--on", "near", "--leave"};
        const Ended before = weft(run);
        QVERIFY2(
            before.error.contains("nodes of gpu were not queried (weft host check near --nodes)"),
            qPrintable(before.error));
        QVERIFY(weft({"host", "check", "near"}).out.contains("the nodes of gpu were not queried"));
        queueFor(1);
        const Ended asked = weft({"host", "check", "near", "--nodes"});
        QVERIFY2(asked.code == 0 && asked.error.contains("waiting: job 42 (Priority)"),
                 qPrintable(asked.error));
        QVERIFY2(asked.out.contains("of gpu, queried on 2"), qPrintable(asked.out));
        QVERIFY(weft({"host", "check", "near"}).out.contains("of gpu, queried on 2"));
        const Ended after = weft(run);
        QVERIFY2(after.code == 0 && !after.error.contains("were not queried"),
                 qPrintable(after.error));
        // Asked again, they answer anew.
        writeBytes(answer(), "{");
        const Ended broken = weft({"host", "check", "near"});
        QVERIFY2(broken.code == 0 && broken.out.contains("the answer of a node of"),
                 qPrintable(broken.out));
        QVERIFY(weft({"host", "check", "near", "--nodes"}).out.contains("of gpu, queried on 2"));
    }

    void aJobThatFailsSaysWhyAndLeavesTheAnswerThereWas() {
        QCOMPARE(weft({"host", "check", "near", "--nodes"}).code, 0);
        const QByteArray known = bytesOf(answer());
        QVERIFY(!known.isEmpty());
        program("sbatch", "echo 'no such library' > output.txt; echo 43");
        program("scontrol", "echo 'JobId=43 JobState=FAILED ExitCode=3:0'");
        const Ended failed = weft({"host", "check", "near", "--nodes"});
        QVERIFY2(failed.code == 4 && failed.error.contains("before its answer with code 3") &&
                     failed.error.contains("no such library"),
                 qPrintable(failed.error));
        QCOMPARE(bytesOf(answer()), known);
        program("sbatch", "echo 'invalid account' >&2; exit 1");
        const Ended refused = weft({"host", "check", "near", "--nodes"});
        QVERIFY2(refused.code == 4 && refused.error.contains("invalid account"),
                 qPrintable(refused.error));
    }

    void whoWaitsNoMoreLeavesTheJobInTheQueue() {
        queueFor(endless);
        program("sbatch", "echo x >> submitted; echo 42");
        QProcess waiting;
        waiting.setWorkingDirectory(here());
        const auto ask = [&] {
            waiting.start(QString::fromStdString(weftProgram().string()),
                          {"host", "check", "near", "--nodes"});
            QString said;
            const bool waits = QTest::qWaitFor(
                [&] {
                    said += waiting.readAllStandardError();
                    return said.contains("waiting: job 42 (Priority)");
                },
                patience);
            ::kill(static_cast<pid_t>(waiting.processId()), SIGINT);
            return waits && waiting.waitForFinished(patience) &&
                   waiting.readAllStandardError().contains("prints the answer when it has arrived");
        };
        QVERIFY(ask());
        QVERIFY(ask());
        QCOMPARE(bytesOf(folder_->filePath("there/.nodes/.jobs/gpu/submitted")), QByteArray("x\n"));
    }

    void whoAsksOnceIsToldWhatTheQueueSays() {
        queueFor(endless);
        QStringList begun;
        for (int i = 0; i < 2; ++i) {
            begun << begunOn("near", {}, here());
        }
        const auto said = [&](const QString& run) {
            const QString lines = weft({"runs", "--on", "near"}).out;
            return lines.mid(lines.indexOf(run + ' ')).section('\n', 0, 0);
        };
        QVERIFY2(said(begun.first()).contains("waiting  job 42 (Priority)"),
                 qPrintable(said(begun.first())));
        // An unreadable job file affects only that job's line.
        writeBytes(folder_->filePath("there/.jobs/" + begun.last() + "/job.json"), "{");
        QVERIFY2(said(begun.last()).contains("job.json"), qPrintable(said(begun.last())));
        QVERIFY(said(begun.first()).contains("waiting  job 42 (Priority)"));
    }

    void ofAHostWithoutAQueueTheyAreNone() {
        QCOMPARE(weft({"host", "add", "near", "--start", "here"}).code, 0);
        const Ended refused = weft({"host", "check", "near", "--nodes"});
        QVERIFY2(refused.code == 2 && refused.error.contains("without a queue"),
                 qPrintable(refused.error));
        QCOMPARE(weft({"host", "list", "--nodes"}).code, 2);
    }
};

std::unique_ptr<QObject> makeTestNodes() { return std::make_unique<TestNodes>(); }
#include "tst_nodes.moc"
