// SPDX-License-Identifier: Apache-2.0
#include "support/own_slurm.h"

#include "support/servers.h"

#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QTest>
#include <QThread>

namespace weft::test {

namespace {

constexpr int longestAnswer = 30'000; // milliseconds

QString nodeName() {
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    return QString::fromUtf8(host).section('.', 0, 0);
}

void end(QProcess& process) {
    process.terminate();
    if (!process.waitForFinished(longestAnswer)) {
        process.kill();
        process.waitForFinished(longestAnswer);
    }
}

} // namespace

OwnSlurm::OwnSlurm() {
    for (const char* program : {"slurmctld", "slurmd", "sbatch", "squeue", "sinfo", "scancel"}) {
        if (serverNamed(program).isEmpty()) {
            fault_ = QString("%1 is not installed (slurm-wlm)").arg(program);
            return;
        }
    }
    const QString node = nodeName();
    if (!writeSettings(node)) {
        fault_ = "settings for Slurm cannot be written";
        return;
    }
    start(controller_, serverNamed("slurmctld"), {"-D"});
    start(daemon_, serverNamed("slurmd"), {"-D", "-N", node});
    const auto isReady = [this] { return ask("sinfo", {"-h", "-o", "%t"}, {}) == "idle"; };
    const auto isAlive = [this] {
        return controller_.state() == QProcess::Running && daemon_.state() == QProcess::Running;
    };
    if (!QTest::qWaitFor([&] { return !isAlive() || isReady(); }, longestAnswer) || !isReady()) {
        fault_ = "Slurm does not start here";
    }
}

OwnSlurm::~OwnSlurm() {
    if (fault_.isEmpty()) {
        static_cast<void>(ask("scancel", {"--user", userName()}, {}));
        static_cast<void>(
            QTest::qWaitFor([this] { return ask("squeue", {"-h"}, {}).isEmpty(); }, longestAnswer));
    }
    end(daemon_);
    end(controller_);
}

bool OwnSlurm::writeSettings(const QString& node) const {
    const QString at = folder_.path();
    QFile file(settings());
    const QString text =
        QString("ClusterName=weft\nSlurmctldHost=%1(127.0.0.1)\nSlurmUser=%2\nSlurmdUser=%2\n"
                "AuthType=auth/none\nCredType=cred/none\nSlurmctldPort=%3\nSlurmdPort=%4\n"
                "StateSaveLocation=%5/state\nSlurmdSpoolDir=%5/spool\n"
                "SlurmctldPidFile=%5/controller.pid\nSlurmdPidFile=%5/daemon.pid\n"
                "SlurmctldLogFile=%5/controller.log\nSlurmdLogFile=%5/daemon.log\n"
                "ProctrackType=proctrack/pgid\nTaskPlugin=task/none\nSelectType=select/cons_tres\n"
                "SelectTypeParameters=CR_Core\nReturnToService=2\nMpiDefault=none\nKillWait=5\n"
                "MinJobAge=60\nSchedulerParameters=sched_interval=2,batch_sched_delay=0\n"
                "SlurmdParameters=config_overrides\n"
                "NodeName=%1 NodeAddr=127.0.0.1 CPUs=%6 State=UNKNOWN\n"
                "PartitionName=test Nodes=%1 Default=YES MaxTime=INFINITE State=UP\n")
            .arg(node, userName())
            .arg(freePort())
            .arg(freePort())
            .arg(at)
            .arg(QThread::idealThreadCount());
    return QDir(at).mkpath("state") && QDir(at).mkpath("spool") &&
           file.open(QIODevice::WriteOnly) && file.write(text.toUtf8()) > 0;
}

QString OwnSlurm::ask(const QString& program, const QStringList& arguments,
                      const QString& folder) const {
    QProcess process;
    process.setProcessEnvironment(environment());
    process.setWorkingDirectory(folder);
    process.start(serverNamed(program), arguments);
    process.waitForFinished(longestAnswer);
    return process.exitCode() == 0 ? QString::fromUtf8(process.readAllStandardOutput()).trimmed()
                                   : QString();
}

QProcessEnvironment OwnSlurm::environment() const {
    QProcessEnvironment all = QProcessEnvironment::systemEnvironment();
    all.insert("SLURM_CONF", settings());
    return all;
}

void OwnSlurm::start(QProcess& process, const QString& program,
                     const QStringList& arguments) const {
    process.setProcessEnvironment(environment());
    process.setStandardOutputFile(QProcess::nullDevice());
    process.setStandardErrorFile(QProcess::nullDevice());
    process.start(program, arguments);
    process.waitForStarted(longestAnswer);
}

} // namespace weft::test
