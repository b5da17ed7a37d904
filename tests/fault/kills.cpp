// SPDX-License-Identifier: Apache-2.0
#include "kills.h"

#include "../cli/weft_process.h"
#include "support/places.h"
#include <weft/runs.h>

#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <csignal>
#include <map>
#include <random>

namespace weft::test {

namespace {

QStringList checkpointsOf(const QString& run) {
    return QDir(run + "/checkpoints").entryList({"*.safetensors"}, QDir::Files, QDir::Name);
}

/// What of before the kill is not there after it.
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
    return runsIn(folder.path()).size() == 1 ? "" : "there is more than one run";
}

} // namespace weft::test
