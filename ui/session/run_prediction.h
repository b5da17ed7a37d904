// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What was predicted for the run that a hub follows: the estimate of its own design on the devices
// and ranks of its last attempt, made on a thread of its own. Lives on the GUI thread.

#include "session/run_hub.h"
#include <weft/estimate.h>

#include <QObject>
#include <memory>
#include <thread>

namespace weft::ui {

class RunPrediction : public QObject {
    Q_OBJECT

public:
    explicit RunPrediction(const RunHub& hub, QObject* parent = nullptr);
    ~RunPrediction() override;

    /// nullptr until it is known, and where the design cannot be planned.
    [[nodiscard]] const Estimate* estimate() const { return estimate_.get(); }
    /// Its one step, from 0 on.
    [[nodiscard]] const SpanStore& spans() const { return spans_; }
    /// Instead of a run's: of a design that has not run yet.
    void predict(const Design& design, const EstimateRequest& request);
    /// The same again, because the machine was measured again.
    void renew();

Q_SIGNALS:
    void changed();

private:
    void follow(const RunGrowth& growth);
    void take(int number, const std::shared_ptr<const Estimate>& estimate);

    const RunHub& hub_;
    std::shared_ptr<const Estimate> estimate_;
    SpanStore spans_;
    std::size_t attemptsSeen_ = 0;
    int asked_ = 0;
    Design design_; ///< that was asked for last
    EstimateRequest request_;
    std::jthread thread_;
};

} // namespace weft::ui
