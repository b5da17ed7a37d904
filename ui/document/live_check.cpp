// SPDX-License-Identifier: Apache-2.0
#include "document/live_check.h"

#include <utility>

namespace weft::ui {

namespace {

/// Reports an internal error of the check like a problem of the design.
std::shared_ptr<const Preview> failed(const QString& why) {
    auto preview = std::make_shared<Preview>();
    preview->problems.push_back({.severity = Severity::error, .text = why.toStdString()});
    return preview;
}

} // namespace

LiveCheck::LiveCheck(DesignDocument& document, PreviewQueue& previewQueue, QObject* parent)
    : QObject(parent), document_(document), previewQueue_(previewQueue) {
    connect(&document, &DesignDocument::changed, this, [this](const DesignChange& change) {
        if (!change.isOnlyAppearance) {
            requestCheck();
        }
    });
    connect(&document, &DesignDocument::fileChanged, this, [this] {
        if (request_.data->folder != dataFolderOf(document_).toStdString()) {
            requestCheck();
        }
    });
    requestCheck();
}

LiveCheck::~LiveCheck() { previewQueue_.forget(this); }

bool LiveCheck::isCurrent() const { return answer_->revision >= neededRevision_; }

void LiveCheck::setMachine(MachineSheet machine) {
    request_.machine = std::move(machine);
    requestCheck();
}

void LiveCheck::requestCheck() {
    neededRevision_ = document_.revision();
    request_.data = PreviewData{.folder = dataFolderOf(document_).toStdString()};
    isWhole_ = false;
    isFirstPart_ = true;
    clock_.start();
    previewQueue_.ask(this, PreviewQueue::Urgency::check, document_.design(), request_,
                      [this, revision = neededRevision_, batch = document_.design().data.batch](
                          const PreviewAnswer& answer) { takeAnswer(revision, batch, answer); });
}

void LiveCheck::takeAnswer(std::uint64_t revision, std::int64_t batch,
                           const PreviewAnswer& answer) {
    auto next = std::make_shared<CheckedDesign>(*answer_);
    if (std::exchange(isFirstPart_, false)) {
        next->milliseconds = static_cast<double>(clock_.nsecsElapsed()) / 1e6;
    }
    next->revision = revision;
    next->preview = answer.preview != nullptr ? answer.preview : failed(answer.failure);
    // If the last part has no numbers, the numbers of the revision before are dropped.
    if (next->preview->step || answer.isLast) {
        next->withStep = next->preview->step ? next->preview : nullptr;
        next->batch = batch;
    }
    if (next->preview->run || answer.isLast) {
        next->withRun = next->preview->run ? next->preview : nullptr;
    }
    isWhole_ = answer.isLast;
    if (*next != *answer_) {
        answer_ = std::move(next);
        emit checked();
    }
    if (isWhole()) {
        emit finished();
    }
}

} // namespace weft::ui
