// SPDX-License-Identifier: Apache-2.0
#pragma once
// The prediction for the run that a hub follows: a preview of the run's design with the devices and
// ranks of its last attempt, on the machine for which it was planned. Lives on the GUI thread.

#include "document/preview_queue.h"
#include "runs/run_hub.h"

#include <QObject>
#include <memory>

namespace weft::ui {

class RunPrediction : public QObject {
    Q_OBJECT

public:
    RunPrediction(const RunHub& hub, PreviewQueue& previewQueue, QObject* parent = nullptr);
    ~RunPrediction() override;

    /// The preview, with its step and run once known; nullptr before, or if the design cannot be
    /// planned or there is a reason not to predict.
    [[nodiscard]] const Preview* preview() const { return preview_.get(); }
    /// Why nothing is predicted; empty: it is.
    [[nodiscard]] const QString& whyNot() const { return whyNot_; }
    /// Spans of the predicted step on all devices, starting at 0.
    [[nodiscard]] const SpanStore& spans() const { return spans_; }
    /// Predicts a design that has not run yet, instead of a run.
    void predict(const Design& design, const PreviewRequest& request);

Q_SIGNALS:
    void changed();

private:
    void followRun(const RunGrowth& growth);
    void predictAttempt(const Attempt& attempt);
    void takePreview(std::shared_ptr<const Preview> preview);

    const RunHub& hub_;
    PreviewQueue& previewQueue_;
    std::shared_ptr<const Preview> preview_;
    QString whyNot_;
    SpanStore spans_;
    std::size_t attemptsSeen_ = 0;
};

} // namespace weft::ui
