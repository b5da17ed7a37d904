// SPDX-License-Identifier: Apache-2.0
#include "runs/run_hub.h"

#include "runs/run_failure.h"
#include "runs/run_story.h"
#include "theme/theme.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>

#include <QFileInfo>
#include <algorithm>
#include <filesystem>
#include <set>

namespace weft::ui {

namespace {

/// Returns the run's design as far as it can be read.
Design designOf(const QString& folder) {
    try {
        return loadDesign(std::filesystem::path(folder.toStdString()) / "design.weft", catalogue())
            .design;
    } catch (const Error&) {
        return {};
    }
}

std::string whyOf(const std::optional<RunCopy>& copy) { return copy ? copy->why : std::string(); }

template <class T>
bool move(std::vector<T>& from, std::vector<T>& to) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
    return !from.empty();
}

} // namespace

RunHub::RunHub(QObject* parent) : QObject(parent) {
    timer_.setInterval(tokens().sizes.duration.liveBeat);
    timer_.setTimerType(Qt::PreciseTimer);
    connect(&timer_, &QTimer::timeout, this, &RunHub::beat);
}

RunHub::~RunHub() = default;

QString RunHub::name() const { return QFileInfo(folder_).fileName(); }

void RunHub::open(const QString& folder) {
    close();
    folder_ = QFileInfo(folder).absoluteFilePath();
    design_ = designOf(folder_);
    isNew_ = true;
    follower_ = std::make_unique<RunFollower>(folder_.toStdString());
    timer_.start();
}

void RunHub::close() {
    if (follower_) {
        follower_->stop();
        stoppingFollowers_.push_back(std::move(follower_));
    }
    clearData();
    emit grown({.isNew = true, .hasState = true});
}

void RunHub::clearData() {
    folder_.clear();
    design_ = {};
    state_ = RunState::lost;
    copy_.reset();
    isPaused_ = false;
    series_.clear();
    spans_.clear();
    sums_.clear();
    story_.clear();
    failures_.clear();
    checkpoints_.clear();
    tensors_.clear();
    figures_ = {};
    attempts_.clear();
    runningOps_.clear();
    end_.reset();
    totals_.clear();
    fault_.clear();
}

void RunHub::beat() {
    std::erase_if(stoppingFollowers_, [](const auto& one) { return one->hasEnded(); });
    if (!follower_) {
        if (stoppingFollowers_.empty()) {
            timer_.stop();
        }
        return;
    }
    RunGrowth growth;
    std::vector<RunBatch> batches = follower_->take();
    for (RunBatch& batch : batches) {
        addBatch(batch, growth);
    }
    if (!batches.empty()) {
        growth.isNew = std::exchange(isNew_, false);
        emit grown(growth);
    }
}

void RunHub::announceFile(const QString& file) {
    if (isOpen() && file.startsWith(folder_ + '/')) {
        emit grown({.hasFiles = true});
    }
}

void RunHub::addBatch(RunBatch& batch, RunGrowth& growth) {
    attempts_.insert(attempts_.end(), batch.news.attempts.begin(), batch.news.attempts.end());
    std::vector<RunMessage> messages = storyOf(batch, attempts_);
    growth.hasMessages = move(messages, story_) || growth.hasMessages;
    for (const auto& [split, steps] : batch.steps) {
        series_.append(split, steps, batch.metrics);
        growth.hasSteps = true;
    }
    if (!batch.news.timeline.spans.empty()) {
        spans_.append(batch.news.timeline);
        growth.hasSpans = true;
    }
    std::set<std::int64_t> replaced;
    for (const StepTotals& total : batch.totals) {
        if (replaced.insert(total.step).second) {
            totals_[total.step].clear();
        }
        totals_[total.step].push_back(total);
    }
    sums_.add(batch.news.profile);
    growth.hasSums = growth.hasSums || !batch.news.profile.empty();
    growth.hasMessages = move(batch.news.failures, failures_) || growth.hasMessages;
    growth.hasFiles = move(batch.news.checkpoints, checkpoints_) || growth.hasFiles;
    growth.hasFiles = move(batch.news.tensors, tensors_) || growth.hasFiles;
    if (batch.fault.empty()) {
        figures_ = std::move(batch.figures);
    }
    if (!batch.news.attempts.empty()) {
        // A run that had just started may have had no design yet, and a resumed run may have
        // another one.
        design_ = designOf(folder_);
        end_.reset();
        failures_.clear();
        isPaused_ = false;
        growth.hasState = true;
    }
    growth.hasRunningOps =
        growth.hasRunningOps || !batch.runningOps.empty() || !runningOps_.empty();
    runningOps_ = std::move(batch.runningOps);
    if (!batch.news.ends.empty()) {
        end_ = batch.news.ends.back();
    }
    if (!batch.news.pauses.empty()) {
        isPaused_ = batch.news.pauses.back().isPaused;
        growth.hasState = true;
    }
    fault_ = QString::fromStdString(batch.fault);
    const bool isOther = state_ != batch.state || whyOf(copy_) != whyOf(batch.copy);
    growth.hasState = growth.hasState || isOther || isNew_ || !fault_.isEmpty();
    state_ = batch.state;
    copy_ = std::move(batch.copy);
}

std::vector<StepTotals> RunHub::totals(std::int64_t step) const {
    const auto found = totals_.find(step);
    return found == totals_.end() ? std::vector<StepTotals>() : found->second;
}

std::int64_t RunHub::lastStep() const {
    const StepRows& rows = series_.rows(Split::train);
    return rows.steps.empty() ? -1 : rows.steps.back();
}

QString RunHub::failureText() const {
    const RunFailure failure = failureOf(*this);
    return failure ? failure.text() : QString();
}

} // namespace weft::ui
