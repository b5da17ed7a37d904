// SPDX-License-Identifier: Apache-2.0
#include "timeline/timeline_view.h"

#include "runs/layer_place.h"
#include "runs/run_status.h"
#include "theme/look.h"
#include "theme/quantity.h"
#include "theme/symbols.h"
#include "timeline/device_hues.h"
#include "timeline/select_layer.h"
#include "widgets/padded_delegate.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace weft::ui {

namespace {

constexpr int lowestWithTable = 380;

std::set<std::uint32_t> spanSitesOf(const SpanStore& store, const Design& design,
                                    const Selection& selection) {
    std::set<std::uint32_t> sites;
    for (std::size_t i = 0; i < store.sites().size(); ++i) {
        for (const LayerId layer : selection.layers()) {
            if (isWithin(design, store.sites()[i].layer, {selection.path(), layer})) {
                sites.insert(static_cast<std::uint32_t>(i));
                break;
            }
        }
    }
    return sites;
}

} // namespace

TimelineView::TimelineView(const Look& look, const RunHub& hub, const RunPrediction& prediction,
                           QWidget* parent)
    : QWidget(parent), look_(look), hub_(hub), prediction_(prediction) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    makeHeader(*column);
    tracks_ = new TimelineTracks(look_, hub_.spans(), prediction_.spans());
    auto* scroll = new QScrollArea;
    scroll->setWidget(tracks_);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    collectives_ = new CollectiveModel(this);
    auto* sorted = new QSortFilterProxyModel(this);
    sorted->setSourceModel(collectives_);
    sorted->setSortRole(CollectiveModel::sortRole);
    collectiveTable_ = new QTableView;
    collectiveTable_->setModel(sorted);
    collectiveTable_->setSortingEnabled(true);
    collectiveTable_->sortByColumn(-1, Qt::AscendingOrder);
    collectiveTable_->setSelectionBehavior(QAbstractItemView::SelectRows);
    collectiveTable_->setShowGrid(false);
    collectiveTable_->setFrameShape(QFrame::NoFrame);
    collectiveTable_->verticalHeader()->hide();
    collectiveTable_->verticalHeader()->setDefaultSectionSize(Look::sizes().size.rowTable);
    collectiveTable_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    collectiveTable_->horizontalHeader()->setSectionResizeMode(CollectiveModel::where,
                                                               QHeaderView::Stretch);
    collectiveTable_->setItemDelegate(new PaddedDelegate(collectiveTable_));
    collectiveTable_->setAccessibleName(tr("Collectives of the step"));
    splitter_ = new QSplitter(Qt::Vertical);
    splitter_->addWidget(scroll);
    splitter_->addWidget(collectiveTable_);
    connect(splitter_, &QSplitter::splitterMoved, this, [this] { isSplitChosen_ = true; });
    column->addWidget(splitter_, 1);
    connect(&hub_, &RunHub::grown, this, &TimelineView::grow);
    connect(&prediction_, &RunPrediction::changed, this, [this] {
        showCurrent();
        showSelection();
    });
    connect(tracks_, &TimelineTracks::clicked, this, &TimelineView::select);
    connect(tracks_, &TimelineTracks::viewChosen, this,
            [this] { followButton_->setChecked(false); });
    connect(collectiveTable_, &QTableView::clicked, this, [this](const QModelIndex& index) {
        select(index.data(CollectiveModel::layerRole).toString());
    });
    connect(&look_, &Look::changed, this, &TimelineView::applyLook);
    applyLook();
    fillSteps();
}

void TimelineView::makeHeader(QLayout& column) {
    const Sizes& sizes = Look::sizes();
    auto* head = new QWidget;
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(sizes.space.m, sizes.space.xs, sizes.space.m, sizes.space.xs);
    row->setSpacing(sizes.space.s);
    emptyLabel_ = new QLabel;
    emptyLabel_->setMinimumWidth(1); // may shrink like the legend
    row->addWidget(emptyLabel_);
    row->addStretch();
    overlapLabel_ = new QLabel;
    row->addWidget(overlapLabel_);
    legendLabel_ = new QLabel(tr(
        "Upper bar: predicted. Lower bar: measured. Dark: exposed communication. Pale: waiting."));
    legendLabel_->setMinimumWidth(1); // may shrink, so that the window needn't grow
    row->addWidget(legendLabel_);
    stepChoice_ = new QComboBox;
    stepChoice_->setAccessibleName(tr("Step"));
    stepChoice_->setToolTip(
        tr("The time of this step, from the fetch of its batch to its last result "
           "on all devices; the step time of the run is the median of all steps"));
    stepChoice_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    stepChoice_->setMinimumContentsLength(10);
    row->addWidget(stepChoice_);
    followButton_ = new QToolButton;
    followButton_->setCheckable(true);
    followButton_->setChecked(true);
    followButton_->setText(tr("Typical step"));
    followButton_->setToolTip(tr("Shows the step whose time is nearest to the median of all steps; "
                                 "choose another one in the list"));
    followButton_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    row->addWidget(followButton_);
    fitButton_ = new QToolButton;
    fitButton_->setText(tr("Fit"));
    fitButton_->setToolTip(tr("Shows the whole step (F)"));
    fitButton_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    row->addWidget(fitButton_);
    column.addWidget(head);
    connect(fitButton_, &QToolButton::clicked, this, [this] { tracks_->fit(); });
    connect(stepChoice_, &QComboBox::activated, this, [this] {
        followButton_->setChecked(false);
        showStep(stepChoice_->currentData().toLongLong());
    });
    connect(followButton_, &QToolButton::toggled, this, [this](bool isOn) {
        if (isOn) {
            tracks_->fit();
            fillSteps();
        }
    });
}

bool TimelineView::isFollowing() const { return followButton_->isChecked(); }

void TimelineView::applyLook() {
    const Theme& theme = look_.theme();
    for (QLabel* label : {legendLabel_, overlapLabel_, emptyLabel_}) {
        QPalette palette = label->palette();
        palette.setColor(QPalette::WindowText, theme.text.secondary);
        label->setPalette(palette);
        label->setFont(Look::sans(Look::sizes().type.small));
    }
    followButton_->setIcon(
        symbolIcon(QStringLiteral("actions/follow"), theme.text.secondary, theme.text.disabled));
    fitButton_->setIcon(
        symbolIcon(QStringLiteral("actions/fit"), theme.text.secondary, theme.text.disabled));
}

void TimelineView::follow(DesignDocument* document, Selection* selection) {
    if (selection_) {
        selection_->disconnect(this);
    }
    document_ = document;
    selection_ = selection;
    if (selection_) {
        connect(selection_, &Selection::changed, this, &TimelineView::showSelection);
        connect(selection_, &Selection::pathChanged, this, &TimelineView::showSelection);
    }
    showSelection();
}

void TimelineView::grow(const RunGrowth& growth) {
    if (growth.isNew) {
        step_.reset();
        stepChoice_->clear();
        followButton_->setChecked(true);
    }
    if (growth.isNew || growth.hasSpans) {
        fillSteps();
        showSelection();
    }
}

void TimelineView::fillSteps() {
    const auto& steps = hub_.spans().steps();
    // Steps are appended in order; existing entries stay.
    const auto known = static_cast<std::size_t>(stepChoice_->count());
    for (std::size_t i = known; i < steps.size(); ++i) {
        const QString number = quantity::count(static_cast<double>(steps[i].step));
        const auto seconds = secondsOfStep(hub_, steps[i].step);
        stepChoice_->addItem(seconds ? tr("step %1: %2").arg(number, quantity::time(*seconds))
                                     : tr("step %1").arg(number),
                             QVariant::fromValue<qlonglong>(steps[i].step));
    }
    const StepWindow* typical = typicalStep(hub_);
    if (typical != nullptr && (isFollowing() || !step_)) {
        step_ = typical->step;
    }
    showCurrent();
}

void TimelineView::showStep(std::int64_t step) {
    step_ = step;
    showCurrent();
}

void TimelineView::showCurrent() {
    const bool isMeasured = step_.has_value();
    const bool isPredicted = prediction_.spans().size() > 0;
    const QString& whyNot = prediction_.whyNot();
    emptyLabel_->setText(!whyNot.isEmpty() ? tr("Nothing is predicted: %1").arg(whyNot)
                         : isMeasured      ? QString()
                         : isPredicted     ? tr("Predicted only. Run one step to measure.")
                                           : tr("Tracks appear with the first step."));
    emptyLabel_->setToolTip(whyNot);
    stepChoice_->setVisible(isMeasured);
    if (isMeasured) {
        stepChoice_->setCurrentIndex(stepChoice_->findData(QVariant::fromValue<qlonglong>(*step_)));
    }
    const SpanStore& shown = isMeasured ? hub_.spans() : prediction_.spans();
    tracks_->setPaletteIndices(paletteIndicesOf(hub_.design(), shown));
    tracks_->showStep(step_);
    tracks_->refresh();
    const Timeline measured = isMeasured ? hub_.spans().ofStep(*step_) : Timeline();
    const Timeline predicted =
        isPredicted ? prediction_.spans().ofStep(prediction_.spans().steps().front().step)
                    : Timeline();
    collectives_->setRows(collectivesOf(measured, predicted),
                          isMeasured ? measured.devices : predicted.devices);
    const std::vector<StepTotals> totals =
        isMeasured ? hub_.totals(*step_) : std::vector<StepTotals>();
    overlapLabel_->setText(
        totals.empty() ? QString() : tr("overlap %1").arg(quantity::percent(overlapOf(totals))));
    distributeHeight();
    if (isMeasured && step_ != announcedStep_) {
        Q_EMIT stepShown(*step_);
    }
    announcedStep_ = step_;
}

void TimelineView::distributeHeight() {
    // The tracks get their full height and the table the rest; a low view hides the table.
    const int rows = Look::sizes().size.rowTable;
    collectiveTable_->setVisible(height() >= lowestWithTable);
    if (!isSplitChosen_) {
        const int tracks = std::min(tracks_->sizeHint().height(), height() - 8 * rows);
        splitter_->setSizes({tracks, std::max(splitter_->height() - tracks, rows)});
    }
}

void TimelineView::resizeEvent(QResizeEvent*) { distributeHeight(); }

void TimelineView::showSelection() {
    if (!document_ || !selection_ || selection_->layers().empty()) {
        tracks_->setChosen({}, {});
        return;
    }
    tracks_->setChosen(spanSitesOf(hub_.spans(), document_->design(), *selection_),
                       spanSitesOf(prediction_.spans(), document_->design(), *selection_));
}

void TimelineView::select(const QString& layer) {
    if (!document_ || !selection_) {
        return;
    }
    selectNamed(document_->design(), *selection_, layer);
}

} // namespace weft::ui
