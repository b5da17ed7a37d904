// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is predicted for the run that a hub follows: the preview of its own design on the devices
// and ranks of its last attempt, on the machine that it was planned for. Lives on the GUI thread.

#include "document/planner.h"
#include "session/run_hub.h"

#include <QObject>
#include <memory>

namespace weft::ui {

class RunPrediction : public QObject {
    Q_OBJECT

public:
    RunPrediction(const RunHub& hub, Planner& planner, QObject* parent = nullptr);
    ~RunPrediction() override;

    /// With its step, once that is known, and its run; nullptr before, where the design cannot be
    /// planned, and where there is a reason to predict nothing.
    [[nodiscard]] const Preview* preview() const { return preview_.get(); }
    /// Empty: it is predicted.
    [[nodiscard]] const QString& whyNot() const { return whyNot_; }
    /// Its one step, from 0 on, on all devices.
    [[nodiscard]] const SpanStore& spans() const { return spans_; }
    /// Instead of a run's: of a design that has not run yet.
    void predict(const Design& design, const PreviewRequest& request);

Q_SIGNALS:
    void changed();

private:
    void follow(const RunGrowth& growth);
    void begin(const Attempt& attempt);
    void take(std::shared_ptr<const Preview> preview);

    const RunHub& hub_;
    Planner& planner_;
    std::shared_ptr<const Preview> preview_;
    QString whyNot_;
    SpanStore spans_;
    std::size_t attemptsSeen_ = 0;
};

} // namespace weft::ui
