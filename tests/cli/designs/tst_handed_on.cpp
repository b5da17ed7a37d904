// SPDX-License-Identifier: Apache-2.0
// The folder that `weft export` writes is run: by its script, and by a real Slurm on the loopback.
#include "cli/weft_process.h"
#include "support/own_slurm.h"
#include "support/places.h"
#include "support/test_main.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

using namespace weft;
using namespace weft::test;

class TestHandedOn : public QObject {
    Q_OBJECT

    [[nodiscard]] QString here() const { return folder_->path(); }
    [[nodiscard]] Ended exported(const QStringList& more) const {
        writeDesign(here() + "/small.weft", {.steps = 4, .checkpointEvery = 4});
        return weft::test::weft(QStringList{"export", "small.weft", "--program",
                                            QString::fromStdString(weftProgram().string())} +
                                    more,
                                here());
    }

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void theScriptTrainsTheSame() {
        const Ended ended = exported({"--out", "job"});
        QCOMPARE(ended.code, 0);
        QVERIFY2(ended.out.contains("./run.sh"), qPrintable(ended.out));
        QProcess script;
        script.start(here() + "/job/run.sh", QStringList());
        QVERIFY(script.waitForFinished(120'000));
        QVERIFY2(script.exitCode() == 0, script.readAllStandardError().constData());
        QCOMPARE(weft::test::weft({"run", "small.weft"}, here()).code, 0);
        const auto there = lossesOf(runsIn(here() + "/job").value(0));
        QCOMPARE(there.size(), std::size_t{4});
        QCOMPARE(there, lossesOf(runsIn(here()).value(0)));
    }

    void oneScriptCanBePrinted() {
        const Ended ended = exported({"--to", "slurm", "--nodes", "2"});
        QCOMPARE(ended.code, 0);
        QVERIFY(ended.out.startsWith("#!/bin/bash\n#SBATCH --job-name=small\n#SBATCH --nodes=2\n"));
        QVERIFY2(ended.error.contains("2 ranks"), qPrintable(ended.error));
        const Ended ranks = exported({"--nodes", "2"});
        QVERIFY2(ranks.out.contains("--ranks 2"), qPrintable(ranks.out));
        QCOMPARE(exported({"--to", "cloud"}).code, 2);
        QCOMPARE(exported({"--to", "slurm", "--partition", "a b"}).code, 2);
    }

    /// A job whose devices are not there ends before anything runs, and says so last.
    void aJobAsksForItsDevicesFirst_data() {
        QTest::addColumn<QString>("script");
        QTest::addColumn<QStringList>("more");
        QTest::newRow("machine") << "run.sh" << QStringList{"--devices", "hip:0,hip:1"};
        QTest::newRow("slurm") << "job.sbatch" << QStringList{"--devices", "hip:0,hip:1"};
    }
    void aJobAsksForItsDevicesFirst() {
        QFETCH(const QString, script);
        QFETCH(const QStringList, more);
        const Ended ended = exported(more + QStringList{"--out", "job"});
        QCOMPARE(ended.code, 0);
        QVERIFY2(ended.error.contains("has no backend for hip:0, hip:1"), qPrintable(ended.error));
        QProcess job;
        job.setWorkingDirectory(here() + "/job");
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("SLURM_JOB_ID", "1");
        job.setProcessEnvironment(environment);
        job.start("bash", {script});
        QVERIFY(job.waitForFinished(120'000));
        const QString said = QString::fromUtf8(job.readAllStandardError()).trimmed();
        QCOMPARE(job.exitCode(), 4);
        QVERIFY2(said.section('\n', -1).contains(
                     "hip:0, hip:1: this build of Weft has no backend \"hip\""),
                 qPrintable(said));
        QVERIFY(!QFile::exists(here() + "/job/runs/small-1"));
        QVERIFY(runsIn(here() + "/job").isEmpty());
    }

    void slurmTakesAndRunsTheBatchScript() {
        const OwnSlurm slurm;
        if (!slurm.fault().isEmpty()) {
            QSKIP(qPrintable(slurm.fault()));
        }
        QCOMPARE(exported({"--out", "job"}).code, 0);
        const QString said = slurm.ask("sbatch", {"job.sbatch"}, here() + "/job");
        QVERIFY2(said.startsWith("Submitted batch job "), qPrintable(said));
        const QString job = said.section(' ', -1);
        QTRY_VERIFY_WITH_TIMEOUT(
            slurm.ask("squeue", {"-h", "-j", job, "-t", "PENDING,RUNNING,COMPLETING"}, here())
                .isEmpty(),
            180'000);
        const QString run = here() + "/job/runs/small-" + job;
        const QByteArray output = bytesOf(here() + "/job/small-" + job + ".out");
        QVERIFY2(lossesOf(run).size() == 4, output.constData());
    }

private:
    std::unique_ptr<QTemporaryDir> folder_;
};

std::unique_ptr<QObject> makeTestHandedOn() { return std::make_unique<TestHandedOn>(); }
#include "tst_handed_on.moc"
