// SPDX-License-Identifier: Apache-2.0
#include "timeline/run_devices.h"

#include "runs/run_status.h"
#include "theme/look.h"
#include "timeline/device_hues.h"
#include "timeline/memory_rows.h"
#include "widgets/empty_state.h"
#include "workspace/prediction_words.h"

#include <QScrollArea>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <algorithm>

namespace weft::ui {

namespace {

const StepTotals& totalOf(const std::vector<StepTotals>& totals, DeviceId device) {
    static const StepTotals none;
    const auto found = std::ranges::find(totals, device, &StepTotals::device);
    return found == totals.end() ? none : *found;
}

} // namespace

RunDevices::RunDevices(Look& look, const RunHub& hub, const RunPrediction& prediction,
                       QWidget* parent)
    : QWidget(parent),
      hub_(hub),
      prediction_(prediction),
      breakdown_(new Breakdown(look)),
      memory_(new MemoryRows(look)),
      pages_(new QStackedLayout(this)) {
    auto* rows = new QWidget;
    auto* column = new QVBoxLayout(rows);
    column->setContentsMargins(0, Look::sizes().space.xs, 0, Look::sizes().space.m);
    column->setSpacing(Look::sizes().space.l);
    column->addWidget(breakdown_);
    column->addWidget(memory_);
    column->addStretch();
    auto* scroll = new QScrollArea;
    scroll->setWidget(rows);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setMinimumWidth(breakdown_->minimumSizeHint().width());
    pages_->addWidget(new EmptyState(look, QStringLiteral("states/waiting"), tr("No step yet"),
                                     tr("Run one step to see what each device does."), nullptr,
                                     this));
    pages_->addWidget(scroll);
    connect(&hub_, &RunHub::grown, this, &RunDevices::grow);
    connect(&prediction_, &RunPrediction::changed, this, &RunDevices::showCurrent);
    showCurrent();
}

void RunDevices::showStep(std::int64_t step) {
    step_ = step;
    showCurrent();
}

void RunDevices::grow(const RunGrowth& growth) {
    if (growth.isNew) {
        step_.reset();
    }
    if (growth.isNew || growth.hasSpans || growth.hasState) {
        showCurrent();
    }
}

void RunDevices::showCurrent() {
    const StepWindow* typical = typicalStep(hub_);
    const bool isMeasured = typical != nullptr;
    const SpanStore& shown = isMeasured ? hub_.spans() : prediction_.spans();
    const std::vector<StepTotals> measured =
        isMeasured ? hub_.totals(step_.value_or(typical->step)) : std::vector<StepTotals>();
    const std::vector<int> paletteIndices = paletteIndicesOf(hub_.design(), shown);
    std::vector<DeviceBreakdown> devices;
    std::vector<MemoryBar> memory;
    for (const DeviceId device : shown.devices()) {
        const QString name = QString::fromStdString(shown.nameOf(device));
        const DevicePreview* predicted = findDevice(prediction_.preview(), shown.nameOf(device));
        devices.push_back({name, paletteIndices[device.value], totalOf(measured, device),
                           predicted == nullptr ? StepTotals() : predicted->step->totals});
        MemoryBar held{.name = name, .slot = paletteIndices[device.value]};
        for (const DeviceMemory& one : hub_.memory()) {
            held.allocated =
                one.device == device ? static_cast<double>(one.bytes.count) : held.allocated;
        }
        if (predicted != nullptr) {
            held.available = static_cast<double>(predicted->available.count);
        }
        if (predicted != nullptr && predicted->run) {
            held.predicted = static_cast<double>(predicted->run->takes.count);
            held.words = memoryText(*predicted, *prediction_.preview()->run);
        }
        memory.push_back(held);
    }
    pages_->setCurrentIndex(devices.empty() ? 0 : 1);
    breakdown_->show(std::move(devices));
    memory_->show(std::move(memory));
}

} // namespace weft::ui
