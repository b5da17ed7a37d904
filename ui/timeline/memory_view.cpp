// SPDX-License-Identifier: Apache-2.0
#include "timeline/memory_view.h"

#include "document/device_slot.h"
#include "runs/layer_place.h"
#include "theme/quantity.h"
#include "theme/style.h"
#include "theme/symbols.h"
#include "timeline/kind_legend.h"
#include "timeline/select_layer.h"
#include "widgets/chips.h"
#include "widgets/empty_state.h"
#include "workspace/prediction_words.h"

#include <QComboBox>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QMainWindow>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace weft::ui {

namespace {

/// Below this height, the map is unreadable.
constexpr int lowest = 200;
constexpr int opened = 320;

} // namespace

MemoryView::MemoryView(WindowContext& context, QWidget* parent)
    : Panel(context, parent),
      deviceChoice_(new QComboBox),
      legend_(new KindLegend(context.look)),
      amountsLabel_(new QLabel),
      warningLabel_(new QLabel),
      evenButton_(new QToolButton),
      fitButton_(new QToolButton),
      pages_(new QStackedWidget),
      empty_(new EmptyState(context.look, QStringLiteral("states/waiting"), QString(), QString())),
      plot_(new MemoryPlot(context.look)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    makeHeader(*column);
    pages_->addWidget(empty_);
    pages_->addWidget(plot_);
    column->addWidget(pages_, 1);
    setFocusProxy(plot_);
    connect(deviceChoice_, &QComboBox::activated, this, [this] {
        shownDevice_ = deviceChoice_->currentText();
        showCurrent();
    });
    connect(plot_, &MemoryPlot::clicked, this, &MemoryView::select);
    applyLook();
    fill();
}

void MemoryView::makeHeader(QLayout& column) {
    const Sizes& sizes = tokens().sizes;
    auto* head = new QWidget;
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(sizes.space.m, sizes.space.xs, sizes.space.m, sizes.space.xs);
    row->setSpacing(sizes.space.m);
    deviceChoice_->setAccessibleName(tr("Device"));
    deviceChoice_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    row->addWidget(deviceChoice_);
    row->addWidget(legend_, 1);
    amountsLabel_->setFont(Look::sans(sizes.type.small));
    row->addWidget(amountsLabel_);
    warningLabel_->setFont(Look::sans(sizes.type.small, sizes.type.medium));
    row->addWidget(warningLabel_);
    evenButton_->setObjectName(QStringLiteral("evenSteps"));
    evenButton_->setCheckable(true);
    evenButton_->setText(tr("Even steps"));
    evenButton_->setToolTip(
        tr("Draws all steps with the same length, or with their predicted lengths"));
    connect(evenButton_, &QToolButton::toggled, plot_, &MemoryPlot::setEven);
    row->addWidget(evenButton_);
    fitButton_->setText(tr("Fit"));
    fitButton_->setToolTip(tr("Shows the whole step (F)"));
    fitButton_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    connect(fitButton_, &QToolButton::clicked, plot_, &MemoryPlot::fit);
    row->addWidget(fitButton_);
    column.addWidget(head);
}

void MemoryView::applyLook() {
    const Theme& theme = context().look.theme();
    fitButton_->setIcon(
        symbolIcon(QStringLiteral("actions/fit"), theme.text.secondary, theme.text.disabled));
    QPalette palette = warningLabel_->palette();
    palette.setColor(QPalette::WindowText, theme.semantic.error);
    warningLabel_->setPalette(palette);
    for (int k = 0; design() != nullptr && k < deviceChoice_->count(); ++k) {
        const int slot =
            paletteIndexOf(design()->document().design(), deviceChoice_->itemText(k).toStdString());
        deviceChoice_->setItemIcon(k, chipIcon(slot, deviceChoice_->itemText(k), theme));
    }
}

void MemoryView::showEvent(QShowEvent* event) {
    Panel::showEvent(event);
    QDockWidget* dock = this->dock();
    if (dock != nullptr && dock != dock_) {
        connect(dock, &QDockWidget::visibilityChanged, this,
                [this] { QTimer::singleShot(0, this, &MemoryView::growOnceSeen); });
    }
    dock_ = dock;
    // Deferred until the docks have placed the view.
    QTimer::singleShot(0, this, &MemoryView::growOnceSeen);
}

/// A tab in the background counts as visible, so checks the visible region too.
void MemoryView::growOnceSeen() {
    auto* window = dock_ == nullptr ? nullptr : qobject_cast<QMainWindow*>(dock_->window());
    if (window != nullptr && isVisible() && !visibleRegion().isEmpty() && height() < lowest) {
        window->resizeDocks({dock_}, {opened}, Qt::Vertical);
    }
}

void MemoryView::refresh(unsigned causes) {
    if ((causes & lookCause) != 0) {
        applyLook();
    }
    if ((causes & (designCause | checkCause)) != 0) {
        fill();
    }
    if ((causes & selectionCause) != 0) {
        showSelection();
    }
}

void MemoryView::fill() {
    const auto known = design() == nullptr ? nullptr : design()->check().answer();
    const bool hasErrors = known != nullptr && known->revision > 0 && !known->preview->isComplete;
    const bool isShown = known != nullptr && !hasErrors && known->withStep != nullptr;
    pages_->setCurrentIndex(isShown ? 1 : 0);
    for (QWidget* one :
         std::initializer_list<QWidget*>{deviceChoice_, legend_, evenButton_, fitButton_}) {
        one->setVisible(isShown);
    }
    deviceChoice_->clear();
    if (!isShown) {
        empty_->setTexts(tr("The memory of each device during a training step"),
                         design() == nullptr ? tr("Open a design to see it.")
                         : hasErrors         ? tr("Fix the problems of the design first.")
                                             : tr("Preparing the step …"));
        amountsLabel_->clear();
        warningLabel_->clear();
        return;
    }
    for (const DevicePreview& device : known->withStep->devices) {
        deviceChoice_->addItem(QString::fromStdString(device.name));
    }
    applyLook();
    showCurrent();
}

void MemoryView::showDevice(const QString& name) {
    shownDevice_ = name;
    showCurrent();
}

QString MemoryView::amounts() const { return amountsLabel_->text(); }

QString MemoryView::warning() const { return warningLabel_->text(); }

void MemoryView::showCurrent() {
    if (design() == nullptr || deviceChoice_->count() == 0) {
        return;
    }
    const auto known = design()->check().answer();
    const int at = std::max(0, deviceChoice_->findText(shownDevice_));
    deviceChoice_->setCurrentIndex(at);
    const DevicePreview* device =
        findDevice(known->withStep.get(), deviceChoice_->currentText().toStdString());
    if (device == nullptr) {
        return; // the answer is outdated; a refresh will follow
    }
    const MemoryMap& map = *device->step->memory;
    const int slot = paletteIndexOf(design()->document().design(), device->name);
    if (map_ != device->step->memory || plot_->picture().slot != slot) {
        map_ = device->step->memory;
        plot_->show(map, slot);
    }
    if (fittedDesign_ != design()) {
        fittedDesign_ = design();
        plot_->fit();
    }
    legend_->show(map.heldAt(map.peakStep), slot);
    showAmounts(*known, *device);
    showSelection();
}

void MemoryView::showAmounts(const CheckedDesign& known, const DevicePreview& device) {
    const auto bytes = [](Bytes amount) {
        return quantity::bytes(static_cast<double>(amount.count));
    };
    const DevicePreview* run = findDevice(known.withRun.get(), device.name);
    const QString step = tr("The step needs %1").arg(bytes(device.step->holds()));
    amountsLabel_->setText(
        run == nullptr ? step : tr("%1, the run needs %2").arg(step, bytes(run->run->takes)));
    amountsLabel_->setToolTip(memoryText(known, device.name));
    setTier(*amountsLabel_,
            known.isStepOlder() || known.isRunOlder() ? Tier::tertiary : Tier::secondary);
    const MemoryBlock* over = device.step->memory->overflow();
    warningLabel_->setText(
        over != nullptr
            ? tr("Overflows, first at %1")
                  .arg(QString::fromStdString(over->layer.empty() ? over->name : over->layer))
        : run != nullptr && run->overflows()
            ? tr("The run overflows: %1 of %2")
                  .arg(bytes(run->run->together), bytes(run->available))
            : QString());
}

void MemoryView::showSelection() {
    std::set<std::uint32_t> chosen;
    const std::vector<MemoryBlock>& blocks = plot_->picture().map.blocks;
    if (design() != nullptr && !design()->selection().layers().empty()) {
        const Design& shown = design()->document().design();
        const Selection& selection = design()->selection();
        std::map<std::string, bool> known; // many blocks belong to the same layer
        for (std::size_t k = 0; k < blocks.size(); ++k) {
            const auto [at, isNew] = known.try_emplace(blocks[k].layer, false);
            for (const LayerId layer : selection.layers()) {
                at->second = at->second ||
                             (isNew && isWithin(shown, blocks[k].layer, {selection.path(), layer}));
            }
            if (at->second) {
                chosen.insert(static_cast<std::uint32_t>(k));
            }
        }
    }
    plot_->setChosen(std::move(chosen));
}

void MemoryView::select(const QString& layer) {
    if (design() != nullptr) {
        selectNamed(design()->document().design(), design()->selection(), layer);
    }
}

} // namespace weft::ui
