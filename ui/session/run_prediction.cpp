// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/run_prediction.h"

#include <algorithm>

namespace weft::ui {

RunPrediction::RunPrediction(const RunHub& hub, QObject* parent) : QObject(parent), hub_(hub) {
    connect(&hub_, &RunHub::grown, this, &RunPrediction::follow);
}

RunPrediction::~RunPrediction() = default;

void RunPrediction::follow(const RunGrowth& growth) {
    if (growth.isNew && hub_.attempts().empty()) {
        attemptsSeen_ = 0;
        design_ = {};
        take(++asked_, nullptr);
    }
    if (hub_.attempts().size() == attemptsSeen_ || hub_.attempts().empty()) {
        return;
    }
    attemptsSeen_ = hub_.attempts().size();
    const Attempt& attempt = hub_.attempts().back();
    predict(hub_.design(), {.devices = attempt.devices,
                            .ranks = std::max(1, attempt.ranks),
                            .hosts = std::max(1, attempt.hosts)});
}

void RunPrediction::predict(const Design& design, const EstimateRequest& request) {
    const int number = ++asked_;
    design_ = design;
    request_ = request;
    // One at a time: the one before, if it still runs, is waited for by the new thread.
    thread_ = std::jthread([this, number, design, request, before = std::move(thread_)]() mutable {
        if (before.joinable()) {
            before.join();
        }
        std::shared_ptr<const Estimate> made;
        try {
            made = std::make_shared<const Estimate>(weft::estimate(design, request));
        } catch (const std::exception&) {
            made = nullptr; // the run itself says what is wrong with its design
        }
        QMetaObject::invokeMethod(
            this, [this, number, made] { take(number, made); }, Qt::QueuedConnection);
    });
}

void RunPrediction::renew() {
    if (asked_ > 0 && !design_.network.layers.empty()) {
        predict(Design(design_), EstimateRequest(request_));
    }
}

void RunPrediction::take(int number, const std::shared_ptr<const Estimate>& estimate) {
    if (number != asked_) {
        return;
    }
    estimate_ = estimate;
    spans_.clear();
    if (estimate_) {
        Timeline step = estimate_->timeline;
        std::erase_if(step.spans, [&](const TimelineSpan& span) {
            return span.step != estimate_->timeline.spans.front().step;
        });
        const std::int64_t begin = step.spans.empty() ? 0 : step.spans.front().begin.count;
        for (TimelineSpan& span : step.spans) {
            span.begin.count -= begin;
        }
        spans_.append(step);
    }
    emit changed();
}

} // namespace weft::ui
