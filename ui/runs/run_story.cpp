// SPDX-License-Identifier: Apache-2.0
#include "runs/run_story.h"

#include "theme/quantity.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <filesystem>

namespace weft::ui {

namespace {

enum Level : int { note, error = 2 };

QString tr(const char* text) { return QCoreApplication::translate("run", text); }

QString fileName(const std::string& path) {
    return QString::fromStdString(std::filesystem::path(path).filename().string());
}

QString begunText(const Attempt& attempt) {
    QStringList devices;
    for (const std::string& device : attempt.devices) {
        devices << QString::fromStdString(device);
    }
    const QString on = devices.join(QStringLiteral(", "));
    return attempt.stepsBefore == 0
               ? tr("Starts on %1").arg(on)
               : tr("Resumes after step %1 on %2")
                     .arg(quantity::count(static_cast<double>(attempt.stepsBefore)), on);
}

QString endText(const RunEnd& end) {
    const QString step = quantity::count(static_cast<double>(end.step));
    switch (end.reason) {
    case EndReason::done: return tr("Done after step %1").arg(step);
    case EndReason::stopped: return tr("Stopped after step %1").arg(step);
    case EndReason::failed:
    case EndReason::lost: break;
    }
    return tr("Failed at step %1").arg(step);
}

/// Adds one line per evaluation with all its metrics.
void addEvaluations(const RunBatch& batch, const StepBatch& steps, std::vector<RunMessage>& story) {
    for (std::uint32_t row = 0; row < steps.rows.size(); ++row) {
        QStringList numbers;
        for (const StepBatch::Column& column : steps.columns) {
            const auto at = std::ranges::find(column.rows, row);
            if (at != column.rows.end()) {
                const auto place = static_cast<std::size_t>(at - column.rows.begin());
                numbers << QString::fromStdString(batch.metrics[column.metric].name) + ' ' +
                               quantity::number(column.values[place]);
            }
        }
        story.push_back(
            {.step = steps.rows.steps[row],
             .time = static_cast<std::int64_t>(steps.rows.seconds[row] * 1e9),
             .text = tr("Evaluated: %1").arg(numbers.join(QStringLiteral(", "))).toStdString()});
    }
}

} // namespace

std::vector<RunMessage> storyOf(const RunBatch& batch, const std::vector<Attempt>& attempts) {
    std::vector<RunMessage> story;
    const auto sinceBegin = [&](std::uint32_t attempt, std::int64_t time) {
        const auto found = std::ranges::find(attempts, attempt, &Attempt::number);
        const std::int64_t late =
            found == attempts.end() ? 0 : found->wallClock - attempts.front().wallClock;
        return std::max<std::int64_t>(late, 0) + time;
    };
    const auto add = [&](const auto& event, const QString& text, int level = note) {
        story.push_back({.attempt = event.attempt,
                         .level = level,
                         .step = event.step,
                         .time = sinceBegin(event.attempt, event.time),
                         .text = text.toStdString()});
    };
    for (const Attempt& attempt : batch.news.attempts) {
        story.push_back({.attempt = attempt.number,
                         .step = attempt.stepsBefore,
                         .time = sinceBegin(attempt.number, 0),
                         .text = begunText(attempt).toStdString()});
    }
    for (const auto& [split, steps] : batch.steps) {
        if (split == Split::evaluate) {
            addEvaluations(batch, steps, story);
        }
    }
    for (RunMessage message : batch.news.messages) {
        message.time = sinceBegin(message.attempt, message.time);
        story.push_back(std::move(message));
    }
    for (const RunFile& file : batch.news.checkpoints) {
        add(file, tr("Checkpoint saved: %1").arg(fileName(file.path)));
    }
    for (const RunPause& pause : batch.news.pauses) {
        add(pause, pause.isPaused ? tr("Paused") : tr("Continues"));
    }
    for (const RunEnd& end : batch.news.ends) {
        add(end, endText(end), end.reason == EndReason::failed ? error : note);
    }
    std::ranges::stable_sort(story, {}, &RunMessage::time);
    return story;
}

} // namespace weft::ui
