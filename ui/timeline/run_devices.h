// SPDX-License-Identifier: Apache-2.0
#pragma once
// The devices of a run: how each spent a step, and its allocated and available memory.
// RunDevices(look, hub, prediction) shows the typical step until `showStep` chooses another.

#include "runs/run_hub.h"
#include "runs/run_prediction.h"
#include "timeline/breakdown.h"

#include <QWidget>

class QStackedLayout;

namespace weft::ui {

class MemoryRows;

class RunDevices : public QWidget {
    Q_OBJECT

public:
    RunDevices(Look& look, const RunHub& hub, const RunPrediction& prediction,
               QWidget* parent = nullptr);

    void showStep(std::int64_t step); ///< instead of the typical step
    [[nodiscard]] const Breakdown& breakdown() const { return *breakdown_; }
    [[nodiscard]] const MemoryRows& memory() const { return *memory_; }

private:
    void grow(const RunGrowth& growth); ///< slot: the run has new data
    void showCurrent();                 ///< the chosen or typical step

    const RunHub& hub_;
    const RunPrediction& prediction_;
    std::optional<std::int64_t> step_ = {}; ///< std::nullopt: the typical step
    Breakdown* breakdown_;
    MemoryRows* memory_;
    QStackedLayout* pages_; ///< devices or empty state
};

} // namespace weft::ui
