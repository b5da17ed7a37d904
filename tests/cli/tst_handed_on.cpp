// SPDX-License-Identifier: Apache-2.0
// What `weft export` wrote is run: by its script, and by a real Slurm on the loopback.
#include "support/places.h"
#include "support/test_main.h"
#include "weft_process.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

using namespace weft;
using namespace weft::test;

namespace {

/// One that nobody listens on.
int freePort() {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    const bool isBound = bind(socket, reinterpret_cast<sockaddr*>(&address), length) == 0 &&
                         getsockname(socket, reinterpret_cast<sockaddr*>(&address), &length) == 0;
    close(socket);
    return isBound ? ntohs(address.sin_port) : 0;
}

QString programNamed(const QString& name) {
    return QStandardPaths::findExecutable(name, {"/usr/sbin", "/usr/local/sbin", "/usr/bin"});
}

/// Controller and one node, in a folder of their own; they end with this.
class Slurm {
public:
    explicit Slurm(const QString& folder) : folder_(folder) {
        QDir().mkpath(folder + "/state");
        QDir().mkpath(folder + "/spool");
        char host[256] = "";
        gethostname(host, sizeof host - 1);
        const QString node = QString::fromUtf8(host).section('.', 0, 0);
        const int controller = freePort();
        const int daemon = freePort();
        const QString user = qEnvironmentVariable("USER", geteuid() == 0 ? "root" : "");
        QFile file(folder + "/slurm.conf");
        (void)file.open(QIODevice::WriteOnly);
        file.write(QString("ClusterName=weft\nSlurmctldHost=%1(127.0.0.1)\nSlurmUser=%2\n"
                           "SlurmdUser=%2\nAuthType=auth/none\nCredType=cred/none\n"
                           "SlurmctldPort=%3\nSlurmdPort=%4\nStateSaveLocation=%5/state\n"
                           "SlurmdSpoolDir=%5/spool\nSlurmctldPidFile=%5/controller.pid\n"
                           "SlurmdPidFile=%5/daemon.pid\nSlurmctldLogFile=%5/controller.log\n"
                           "SlurmdLogFile=%5/daemon.log\nProctrackType=proctrack/pgid\n"
                           "TaskPlugin=task/none\nSelectType=select/cons_tres\n"
                           "SelectTypeParameters=CR_Core\nReturnToService=2\nMpiDefault=none\n"
                           "NodeName=%1 NodeAddr=127.0.0.1 CPUs=1 State=UNKNOWN\n"
                           "PartitionName=test Nodes=%1 Default=YES MaxTime=INFINITE State=UP\n")
                       .arg(node, user)
                       .arg(controller)
                       .arg(daemon)
                       .arg(folder)
                       .toUtf8());
        file.close();
        start(controller_, programNamed("slurmctld"), {"-D"});
        start(daemon_, programNamed("slurmd"), {"-D", "-N", node});
    }
    ~Slurm() {
        for (QProcess* process : {&daemon_, &controller_}) {
            process->terminate();
            if (!process->waitForFinished(10'000)) {
                process->kill();
                process->waitForFinished(10'000);
            }
        }
    }
    Slurm(const Slurm&) = delete;
    Slurm& operator=(const Slurm&) = delete;

    /// What a program of Slurm says; empty where it fails.
    QString ask(const QString& program, const QStringList& arguments, const QString& folder) {
        QProcess process;
        process.setProcessEnvironment(environment());
        process.setWorkingDirectory(folder);
        process.start(programNamed(program), arguments);
        process.waitForFinished(30'000);
        return process.exitCode() == 0
                   ? QString::fromUtf8(process.readAllStandardOutput()).trimmed()
                   : QString();
    }
    [[nodiscard]] bool isAlive() const {
        return controller_.state() == QProcess::Running && daemon_.state() == QProcess::Running;
    }

private:
    [[nodiscard]] QProcessEnvironment environment() const {
        QProcessEnvironment all = QProcessEnvironment::systemEnvironment();
        all.insert("SLURM_CONF", folder_ + "/slurm.conf");
        return all;
    }
    void start(QProcess& process, const QString& program, const QStringList& arguments) {
        process.setProcessEnvironment(environment());
        process.setStandardOutputFile(QProcess::nullDevice());
        process.setStandardErrorFile(QProcess::nullDevice());
        process.start(program, arguments);
        process.waitForStarted(10'000);
    }

    QString folder_;
    QProcess controller_;
    QProcess daemon_;
};

} // namespace

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
        for (const char* program : {"slurmctld", "slurmd", "sbatch", "squeue", "sinfo"}) {
            if (programNamed(program).isEmpty()) {
                QSKIP(qPrintable(QString("%1 is not installed (slurm-wlm)").arg(program)));
            }
        }
        QCOMPARE(exported({"--out", "job"}).code, 0);
        Slurm slurm(here() + "/slurm");
        bool isIdle = false;
        for (int i = 0; i < 60 && slurm.isAlive() && !isIdle; ++i) {
            isIdle = slurm.ask("sinfo", {"-h", "-o", "%t"}, here()) == "idle";
            QTest::qWait(500);
        }
        if (!isIdle) {
            QSKIP("Slurm does not start here");
        }
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
