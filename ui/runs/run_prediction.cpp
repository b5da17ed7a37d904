// SPDX-License-Identifier: Apache-2.0
#include "runs/run_prediction.h"

#include <weft/error.h>
#include <weft/runs.h>

#include <algorithm>

namespace weft::ui {

namespace {

/// Returns the predicted step, starting at 0, with rows for all devices; devices with identical
/// programs share a row in the preview.
Timeline wholeStep(const Preview& preview) {
    const Timeline& shown = *preview.step->timeline;
    Timeline step{.sites = shown.sites, .clockError = shown.clockError};
    std::map<DeviceId, std::vector<DeviceId>> alike;
    for (std::uint32_t k = 0; k < preview.devices.size(); ++k) {
        step.devices.emplace(DeviceId{k}, preview.devices[k].name);
        alike[preview.step->representedBy[k]].push_back(DeviceId{k});
    }
    for (const TimelineSpan& span : shown.spans) {
        if (span.step != shown.spans.front().step) {
            continue;
        }
        for (const DeviceId device : alike[span.device]) {
            TimelineSpan own = span;
            own.device = device;
            own.begin.count -= shown.spans.front().begin.count;
            step.spans.push_back(own);
        }
    }
    sortSpans(step);
    return step;
}

PreviewData dataIn(const std::vector<std::filesystem::path>& folders) {
    PreviewData data;
    if (!folders.empty()) {
        data.folder = folders.front();
        data.others.assign(folders.begin() + 1, folders.end());
    }
    return data;
}

} // namespace

RunPrediction::RunPrediction(const RunHub& hub, PreviewQueue& previewQueue, QObject* parent)
    : QObject(parent), hub_(hub), previewQueue_(previewQueue) {
    connect(&hub_, &RunHub::grown, this, &RunPrediction::followRun);
}

RunPrediction::~RunPrediction() { previewQueue_.forget(this); }

void RunPrediction::followRun(const RunGrowth& growth) {
    if (growth.isNew && hub_.attempts().empty()) {
        attemptsSeen_ = 0;
        whyNot_.clear();
        previewQueue_.forget(this);
        takePreview(nullptr);
    }
    if (hub_.attempts().size() == attemptsSeen_ || hub_.attempts().empty()) {
        return;
    }
    attemptsSeen_ = hub_.attempts().size();
    predictAttempt(hub_.attempts().back());
}

void RunPrediction::predictAttempt(const Attempt& attempt) {
    const std::string run = hub_.folder().toStdString();
    RunBegin begun;
    std::string whyNot;
    try {
        begun = beginOf(run);
        whyNot = whyUnpredicted(begun, attempt.devices);
    } catch (const Error& error) {
        whyNot = error.what();
    }
    if (!whyNot.empty()) {
        whyNot_ = QString::fromStdString(whyNot);
        previewQueue_.forget(this);
        takePreview(nullptr);
        return;
    }
    predict(hub_.design(), {.devices = attempt.devices,
                            .machine = machineOf(run),
                            .ranks = std::max(1, attempt.ranks),
                            .hosts = std::max(1, attempt.hosts),
                            .data = dataIn(begun.folders)});
}

void RunPrediction::predict(const Design& design, const PreviewRequest& request) {
    whyNot_.clear();
    if (design.network.layers.empty()) {
        return;
    }
    PreviewRequest whole = request;
    whole.wantsLegal = false;
    whole.until = PreviewPart::run;
    previewQueue_.ask(this, PreviewQueue::Urgency::prediction, design, whole,
                      [this](const PreviewAnswer& answer) {
                          const bool hasStep = answer.preview != nullptr && answer.preview->step;
                          if (hasStep ? answer.preview != preview_ : answer.isLast) {
                              takePreview(hasStep ? answer.preview : nullptr);
                          }
                      });
}

void RunPrediction::takePreview(std::shared_ptr<const Preview> preview) {
    preview_ = std::move(preview);
    spans_.clear();
    if (preview_ != nullptr) {
        spans_.append(wholeStep(*preview_));
    }
    emit changed();
}

} // namespace weft::ui
