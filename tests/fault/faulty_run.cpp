// SPDX-License-Identifier: Apache-2.0
#include "faulty_run.h"

#include "support/places.h"
#include <weft/error.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <csignal>

namespace weft::test {

namespace {

constexpr int longestRun = 120'000; // milliseconds

QString program() { return QString::fromStdString(weftProgram().string()); }

} // namespace

FaultyRun::FaultyRun(const SmallDesign& design) : design_(design) {
    writeDesign(folder() + "/small.weft", design);
    QDir(folder()).mkdir("temporary");
}

FaultyRun::~FaultyRun() {
    if (isRunning()) {
        const QList<Process> all = descendantsOf(process());
        process_.kill();
        for (const Process& one : all) {
            ::kill(one.id, SIGKILL);
        }
        process_.waitForFinished(longestRun);
    }
    for (const Process& one : living()) {
        ::kill(one.id, SIGKILL);
    }
}

QList<Process> FaultyRun::living() const {
    const QByteArray mine = (folder() + "/temporary").toUtf8();
    QList<Process> found;
    for (const Process& one : allProcesses()) {
        if (one.state != 'Z' && one.state != 'X' && variableOf(one.id, "TMPDIR").startsWith(mine)) {
            found.append(one);
        }
    }
    return found;
}

void FaultyRun::start(const QString& name, const QStringList& arguments, double limit) {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("WEFT_BEAT_LIMIT", QString::number(limit));
    environment.insert("TMPDIR", folder() + "/temporary");
    process_.setProcessEnvironment(environment);
    process_.setWorkingDirectory(folder());
    process_.start(name, arguments);
    process_.waitForStarted(longestRun);
}

void FaultyRun::launch(int ranks, double limit, const QStringList& more) {
    start(program(), QStringList{"run", "small.weft", "--ranks", QString::number(ranks)} + more,
          limit);
}

void FaultyRun::launchPlain(int ranks, double limit) {
    start("mpirun",
          {"--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-x", "WEFT_BEAT_LIMIT",
           "-n", QString::number(ranks), program(), "run", "small.weft"},
          limit);
}

Ended FaultyRun::weft(const QStringList& arguments) const {
    return test::weft(arguments, folder());
}

std::map<int, int> FaultyRun::ranks() const {
    std::map<int, int> found;
    for (const Process& one : descendantsOf(process())) {
        const QByteArray rank = variableOf(one.id, "OMPI_COMM_WORLD_RANK");
        if (!rank.isEmpty()) {
            found[rank.toInt()] = one.id;
        }
    }
    return found;
}

int FaultyRun::mpirun() const {
    for (const Process& one : descendantsOf(process())) {
        if (one.name == "mpirun") {
            return one.id;
        }
    }
    return process();
}

int FaultyRun::steps() const {
    try {
        return run().isEmpty() ? 0 : static_cast<int>(lossesOf(run()).size());
    } catch (const Error&) {
        return 0; // a folder that was made this instant
    }
}

int FaultyRun::checkpoints() const {
    return static_cast<int>(
        QDir(run() + "/checkpoints").entryList({"*.safetensors"}, QDir::Files).size());
}

void FaultyRun::remember() {
    for (const auto& [rank, process] : ranks()) {
        jobs_.insert(variableOf(process, "PMIX_NAMESPACE"));
    }
    // A process that is just starting or ending cannot be read.
    const QString temporary = QFileInfo(variableOf(mpirun(), "TMPDIR")).fileName();
    if (!temporary.isEmpty()) {
        folders_.insert(temporary);
    }
}

void FaultyRun::signalRank(int rank, int signal) {
    remember();
    const auto all = ranks();
    if (const auto found = all.find(rank); found != all.end()) {
        ::kill(found->second, signal);
    }
}

Ended FaultyRun::end() {
    const bool ended = !isRunning() || process_.waitForFinished(longestRun);
    const int code =
        ended && process_.exitStatus() == QProcess::NormalExit ? process_.exitCode() : -1;
    return {code, process_.readAllStandardOutput(), process_.readAllStandardError()};
}

QStringList FaultyRun::leftovers() const {
    QStringList left;
    for (const Process& one : living()) {
        left.append(QString("process %1 (%2)").arg(one.id).arg(QString(one.name)));
    }
    for (const QString& name : folders_) {
        if (QFileInfo::exists("/dev/shm/" + name)) {
            left.append("/dev/shm/" + name);
        }
    }
    for (const QByteArray& job : jobs_) {
        const QString segment = QString(".%1.").arg(job.toULong(), 0, 16);
        for (const QString& name : QDir("/dev/shm").entryList({"vader_segment*"}, QDir::Files)) {
            if (name.contains(segment)) {
                left.append("/dev/shm/" + name);
            }
        }
    }
    for (const QString& name :
         QDir(folder() + "/temporary").entryList(QDir::AllEntries | QDir::NoDotAndDotDot)) {
        left.append("temporary/" + name);
    }
    if (!run().isEmpty() && QDir(run() + "/control").exists()) {
        left.append("control");
    }
    return left;
}

int FaultyRun::planMoreSteps(int more, const QString& assign) const {
    const QStringList kept =
        QDir(run() + "/checkpoints").entryList({"*.safetensors"}, QDir::Files, QDir::Name);
    const int last = kept.isEmpty() ? 0 : kept.back().mid(5, 9).toInt();
    SmallDesign longer = design_;
    longer.steps = last + more;
    longer.assign = assign;
    writeDesign(run() + "/design.weft", longer);
    return longer.steps;
}

} // namespace weft::test
