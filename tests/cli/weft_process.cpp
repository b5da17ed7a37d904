// SPDX-License-Identifier: Apache-2.0
#include "weft_process.h"

#include "support/places.h"
#include <weft/run_figures.h>
#include <weft/runs.h>

#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QProcess>
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <vector>

namespace weft::test {

namespace {

constexpr int longest = 120'000; // milliseconds

Ended wait(QProcess& process) {
    if (!process.waitForStarted() || !process.waitForFinished(longest)) {
        process.kill();
        process.waitForFinished();
        return {-1, process.readAllStandardOutput(), process.readAllStandardError()};
    }
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

} // namespace

Ended startedBy(const QString& launcher, const QStringList& before, const QStringList& arguments,
                const QString& folder) {
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start(launcher, before + arguments);
    return wait(process);
}

Ended weft(const QStringList& arguments, const QString& folder) {
    return startedBy(QString::fromStdString(weftProgram().string()), {}, arguments, folder);
}

Ended addedHost(const QString& name, const QString& via, const QString& runs,
                const QStringList& more) {
    return weft(QStringList{"host", "add", name, "--via", via, "--folder", runs, "--program",
                            QString::fromStdString(weftProgram().string())} +
                    more,
                QDir::tempPath());
}

QString begunOn(const QString& host, const SmallDesign& design, const QString& folder,
                const QStringList& more) {
    writeDesign(folder + "/small.weft", design);
    const Ended ended =
        weft(QStringList{"run", "small.weft", "--on", host, "--leave"} + more, folder);
    return ended.code == 0 ? ended.out.trimmed().mid(host.size() + 1) : "refused: " + ended.error;
}

QString weftOnATerminal(const QStringList& arguments, const QString& folder,
                        const QStringList& environment) {
    std::vector<QByteArray> words{QByteArray::fromStdString(weftProgram().string())};
    const auto asBytes = [](const QString& text) { return text.toLocal8Bit(); };
    std::ranges::transform(arguments, std::back_inserter(words), asBytes);
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (QByteArray& word : words) {
        argv.push_back(word.data());
    }
    argv.push_back(nullptr);
    std::vector<QByteArray> variables;
    std::ranges::transform(environment, std::back_inserter(variables), asBytes);
    const QByteArray place = folder.toLocal8Bit();
    int terminal = -1;
    const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
    if (child == 0) {
        for (QByteArray& variable : variables) {
            putenv(variable.data());
        }
        if (chdir(place.constData()) == 0) {
            execv(argv.front(), argv.data());
        }
        _exit(127);
    }
    QByteArray shown;
    std::array<char, 4096> some{};
    // Once nobody has the other end, reading fails.
    for (ssize_t got = 0; (got = read(terminal, some.data(), some.size())) > 0;) {
        shown.append(some.data(), static_cast<qsizetype>(got));
    }
    close(terminal);
    waitpid(child, nullptr, 0);
    return QString::fromUtf8(shown);
}

void writeDesign(const QString& path, const SmallDesign& design) {
    const QString text = QString(R"({"weft": 1, "name": "small", "assign": "%1",
 "data": {"source": {"kind": "digits", "with": {"count": 300, "test_count": 20}},
  "feeds": {"picture": "images", "digit": "labels"}, "batch": 30},
 "training": {"optimizer": {"kind": "sgd", "with": {"momentum": 0.9}}, "learning_rate": 0.05,
  "steps": %2, "checkpoint_every": %3, "evaluate_every": %4,
  "sync_every": %5, "precision": "%6", "communicator": "%7"},
 "layers": [
  {"id": 1, "name": "picture", "kind": "input", "with": {"shape": [1, 28, 28]}},
  {"id": 2, "name": "conv", "kind": "conv2d", "with": {"filters": 6, "kernel": 5, "stride": 2}},
  {"id": 3, "name": "relu", "kind": "relu"},
  {"id": 4, "name": "flat", "kind": "flatten"},
  {"id": 5, "name": "fc1", "kind": "dense", "with": {"units": 30}},
  {"id": 6, "name": "fc2", "kind": "dense", "with": {"units": 10}},
  {"id": 7, "name": "digit", "kind": "input", "with": {"dtype": "i64", "shape": []}},
  {"id": 8, "name": "loss", "kind": "softmax_cross_entropy"}],
 "wires": ["picture.y -> conv.x", "conv.y -> relu.x", "relu.y -> flat.x", "flat.y -> fc1.x",
  "fc1.y -> fc2.x", "fc2.y -> loss.logits", "digit.y -> loss.target"]}
)")
                             .arg(design.assign)
                             .arg(design.steps)
                             .arg(design.checkpointEvery)
                             .arg(design.evaluateEvery)
                             .arg(design.syncEvery)
                             .arg(design.precision)
                             .arg(design.communicator);
    writeBytes(path, text.toUtf8());
}

void writeBytes(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    if (file.open(QIODevice::WriteOnly)) {
        file.write(bytes);
    }
}

QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QStringList runsIn(const QString& folder) {
    QStringList runs;
    for (const QString& name :
         QDir(folder + "/runs").entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
        runs.append(folder + "/runs/" + name);
    }
    return runs;
}

std::vector<double> lossesOf(const QString& run) {
    if (!summaryOf(run.toStdString())) {
        return {};
    }
    for (const MetricSeries& series : openRun(run.toStdString()).series) {
        if (isMainMetric(series.metric.name) && series.split == Split::train) {
            return series.values;
        }
    }
    return {};
}

std::map<std::int64_t, double> lossesByStep(const QString& run) {
    std::map<std::int64_t, double> losses;
    for (const MetricSeries& series : openRun(run.toStdString()).series) {
        if (isMainMetric(series.metric.name) && series.split == Split::train) {
            for (std::size_t k = 0; k < series.steps.size(); ++k) {
                losses[series.steps[k]] = series.values[k];
            }
        }
    }
    return losses;
}

double largestDifference(const std::vector<double>& a, const std::vector<double>& b) {
    if (a.size() != b.size() || a.empty()) {
        return std::numeric_limits<double>::infinity();
    }
    double largest = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        largest = std::max(largest, std::abs(a[k] - b[k]) /
                                        std::max({std::abs(a[k]), std::abs(b[k]), 1e-6}));
    }
    return largest;
}

} // namespace weft::test
