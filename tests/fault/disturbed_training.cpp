// SPDX-License-Identifier: Apache-2.0
#include "disturbed_training.h"

#include "faulty_run.h"
#include "support/places.h"

#include <QDir>
#include <QJsonDocument>
#include <QTest>
#include <algorithm>
#include <csignal>

namespace weft::test {

namespace {

constexpr int steps = 240;

SmallDesign designFor(const TrainedOn& place) {
    return {.steps = steps, .checkpointEvery = 40, .assign = place.assign, .evaluateEvery = 8};
}

void begin(FaultyRun& run, const TrainedOn& place, double limit) {
    if (place.ranks > 1) {
        run.launch(place.ranks, limit);
    } else {
        run.start(QString::fromStdString(weftProgram().string()),
                  {"run", "small.weft", "--devices", place.devices});
    }
}

Ended resumed(const FaultyRun& run, const TrainedOn& place) {
    QStringList words{"resume", run.run()};
    words += place.ranks > 1 ? QStringList{"--ranks", QString::number(place.ranks)}
                             : QStringList{"--devices", place.devices};
    return run.weft(words);
}

QString lastCheckpoint(const QString& run) {
    const QStringList kept =
        QDir(run + "/checkpoints").entryList({"*.safetensors"}, QDir::Files, QDir::Name);
    return kept.isEmpty() ? QString() : kept.back();
}

/// A step before the last checkpoint that readers of the run do not see; empty: they see all.
QString missingBeforeCheckpoint(const QString& run) {
    const int saved = lastCheckpoint(run).mid(5, 9).toInt();
    const auto losses = lossesByStep(run);
    for (int step = 1; step <= saved; ++step) {
        if (!losses.contains(step)) {
            return QString("step %1 is missing before the checkpoint of step %2")
                .arg(step)
                .arg(saved);
        }
    }
    return {};
}

} // namespace

DisturbedTraining::DisturbedTraining(TrainedOn place) : place_(std::move(place)) {
    FaultyRun run(designFor(place_));
    begin(run, place_, 60);
    const Ended ended = run.end();
    fault_ = ended.code == 0 ? takeNumbers(run.run(), numbers_) : ended.error;
    checkpoint_ = bytesOf(run.run() + "/checkpoints/" + lastCheckpoint(run.run()));
    if (fault_.isEmpty() && (checkpoint_.isEmpty() || numbers_.size() != steps + steps / 8)) {
        fault_ = QString("%1 records, %2 bytes").arg(numbers_.size()).arg(checkpoint_.size());
    }
}

Disturbance DisturbedTraining::drawn(std::mt19937& draw) const {
    return {.victim = static_cast<int>(draw() % static_cast<unsigned>(place_.ranks)),
            .signal = draw() % 3 == 0 ? SIGSTOP : SIGKILL,
            .after = 1 + static_cast<int>(draw() % (steps * 3 / 4))};
}

QString DisturbedTraining::takeNumbers(const QString& run, Numbers& numbers) const {
    for (const QByteArray& line : bytesOf(run + "/metrics.jsonl").split('\n')) {
        QJsonObject record = QJsonDocument::fromJson(line).object();
        if (record.isEmpty()) {
            continue;
        }
        const std::pair key(record["step"].toInteger(), record["split"].toString());
        for (const char* const name : {"attempt", "time", "seconds", "throughput"}) {
            record.remove(QLatin1String(name));
        }
        // A step that was taken again comes to the same.
        if (const auto before = numbers.emplace(key, record).first; before->second != record) {
            return QString("two records of step %1 differ: %2").arg(key.first).arg(QString(line));
        }
    }
    return {};
}

QString DisturbedTraining::differenceOf(const QString& run) const {
    Numbers numbers;
    if (const QString wrong = takeNumbers(run, numbers); !wrong.isEmpty()) {
        return wrong;
    }
    for (const auto& [key, record] : numbers_) {
        const auto found = numbers.find(key);
        if (found == numbers.end()) {
            return QString("metrics.jsonl lacks step %1 (%2)").arg(key.first).arg(key.second);
        }
        if (found->second != record) {
            return QString("step %1 (%2) is %3, and was %4")
                .arg(key.first)
                .arg(key.second, QString(QJsonDocument(found->second).toJson()),
                     QString(QJsonDocument(record).toJson()));
        }
    }
    if (numbers.size() != numbers_.size()) {
        return "metrics.jsonl has a step too many";
    }
    if (lossesByStep(run).size() != static_cast<std::size_t>(steps)) {
        return "the log lacks a step";
    }
    return bytesOf(run + "/checkpoints/" + lastCheckpoint(run)) == checkpoint_
               ? QString()
               : "the last checkpoint differs";
}

QString DisturbedTraining::differenceAfter(const Disturbance& disturbance) {
    FaultyRun run(designFor(place_));
    begin(run, place_, disturbance.signal == SIGSTOP ? 3 : 60);
    const bool hasCome = QTest::qWaitFor(
        [&] { return run.steps() >= disturbance.after || !run.isRunning(); }, patience);
    if (!hasCome) {
        return "the run does not come on";
    }
    const auto ranks = run.ranks();
    const int victim = place_.ranks > 1 && ranks.contains(disturbance.victim)
                           ? ranks.at(disturbance.victim)
                           : (place_.ranks > 1 ? 0 : run.process());
    if (victim > 0 && run.isRunning()) {
        run.remember();
        ::kill(victim, disturbance.signal);
        if (place_.ranks == 1 && disturbance.signal == SIGSTOP) {
            ::kill(victim, SIGCONT);
        }
    }
    const Ended ended = run.end();
    disturbed_ += ended.code != 0 ? 1 : 0;
    if (const QString missing = missingBeforeCheckpoint(run.run()); !missing.isEmpty()) {
        return missing + "\n" + ended.error;
    }
    if (ended.code != 0) {
        // One that was killed before its first checkpoint has nothing to go on from.
        if (lastCheckpoint(run.run()).isEmpty()) {
            return {};
        }
        if (const Ended again = resumed(run, place_); again.code != 0) {
            return again.error;
        }
    }
    const QString difference = differenceOf(run.run());
    return difference.isEmpty() ? QString() : difference + "\n" + ended.error;
}

} // namespace weft::test
