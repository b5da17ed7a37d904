// SPDX-License-Identifier: Apache-2.0
#include "kills.h"

#include "../cli/weft_process.h"
#include "support/places.h"
#include <weft/runs.h>

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <csignal>
#include <map>
#include <random>
#include <set>

namespace weft::test {

namespace {

QStringList checkpointsOf(const QString& run) {
    return QDir(run + "/checkpoints").entryList({"*.safetensors"}, QDir::Files, QDir::Name);
}

/// "step-000000012.safetensors" -> 12; 0 without checkpoints.
std::int64_t lastSavedStep(const QString& run) {
    return checkpointsOf(run)
        .value(checkpointsOf(run).size() - 1)
        .section('.', 0, 0)
        .mid(5)
        .toInt();
}

bool hasAllSteps(const std::map<std::int64_t, double>& losses, std::int64_t last) {
    std::int64_t step = 1;
    while (step <= last && losses.contains(step)) {
        ++step;
    }
    return step > last;
}

/// Returns data from before the kill that is missing after it.
QString missingFrom(const QString& run, const std::map<std::int64_t, double>& losses,
                    const QStringList& checkpoints) {
    const auto now = lossesByStep(run);
    for (const auto& [step, loss] : losses) {
        const auto found = now.find(step);
        if (found == now.end() || found->second != loss) {
            return QString("the loss of step %1").arg(step);
        }
    }
    const QStringList kept = checkpointsOf(run);
    for (const QString& name : checkpoints) {
        if (!kept.contains(name)) {
            return name;
        }
    }
    if (const auto step = lastSavedStep(run); !hasAllSteps(now, step)) {
        return QString("a step before the checkpoint of step %1").arg(step);
    }
    return openRun(run.toStdString()).summary.state == RunState::lost ? "" : "the state: lost";
}

/// Starts or resumes the run, lets it come some random way past a checkpoint, and kills it.
QString killOnce(const QString& folder, unsigned drawn) {
    const QString before = runsIn(folder).value(0);
    const auto saved = before.isEmpty() ? 0 : checkpointsOf(before).size();
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start(QString::fromStdString(weftProgram().string()),
                  before.isEmpty() ? QStringList{"run", "small.weft", "--devices", "cpu:0"}
                                   : QStringList{"resume", before, "--devices", "cpu:0"});
    const bool hasSaved = process.waitForStarted(patience) &&
                          QTest::qWaitFor(
                              [&] {
                                  const QString now = runsIn(folder).value(0);
                                  return !now.isEmpty() && checkpointsOf(now).size() > saved;
                              },
                              patience);
    const QString run = runsIn(folder).value(0);
    const QString log = run + "/events.0.weftlog";
    const qint64 bytes = QFileInfo(log).size() + drawn % 4000;
    const bool hasCome =
        hasSaved && QTest::qWaitFor([&] { return QFileInfo(log).size() >= bytes; }, patience);
    const auto losses = hasCome ? lossesByStep(run) : std::map<std::int64_t, double>();
    const QStringList checkpoints = checkpointsOf(run);
    ::kill(static_cast<pid_t>(process.processId()), SIGKILL);
    if (!process.waitForFinished(patience) || !hasCome) {
        return "the run does not come on: " + process.readAllStandardError();
    }
    return missingFrom(run, losses, checkpoints);
}

/// Resumes the run for some last steps; what metrics.jsonl lacks then it lacks for good.
QString finish(const QString& folder, const QString& run) {
    const int last = static_cast<int>(lastSavedStep(run)) + 5;
    writeDesign(run + "/design.weft", {.steps = last, .checkpointEvery = 20});
    const Ended ended = weft({"resume", run, "--devices", "cpu:0"}, folder);
    if (ended.code != 0) {
        return ended.error;
    }
    std::set<std::int64_t> told;
    for (const QByteArray& line : bytesOf(run + "/metrics.jsonl").split('\n')) {
        const QJsonObject record = QJsonDocument::fromJson(line).object();
        if (record["split"].toString() == "train") {
            told.insert(record["step"].toInteger());
        }
    }
    for (std::int64_t step = 1; step <= last; ++step) {
        if (!told.contains(step)) {
            return QString("step %1 in metrics.jsonl").arg(step);
        }
    }
    return hasAllSteps(lossesByStep(run), last) ? "" : "a step in the log";
}

} // namespace

QString killManyTimes(int kills, unsigned seed) {
    qInfo("seed %u", seed);
    std::mt19937 draw(seed);
    QTemporaryDir folder;
    writeDesign(folder.path() + "/small.weft", {.steps = endless, .checkpointEvery = 20});
    for (int kill = 0; kill < kills; ++kill) {
        const QString lost = killOnce(folder.path(), static_cast<unsigned>(draw()));
        if (!lost.isEmpty()) {
            return QString("after kill %1: %2").arg(kill + 1).arg(lost);
        }
    }
    const QStringList runs = runsIn(folder.path());
    return runs.size() == 1 ? finish(folder.path(), runs[0]) : "there is more than one run";
}

} // namespace weft::test
