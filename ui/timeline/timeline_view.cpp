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
    makeHead(*column);
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
    table_ = new QTableView;
    table_->setModel(sorted);
    table_->setSortingEnabled(true);
    table_->sortByColumn(-1, Qt::AscendingOrder);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setShowGrid(false);
    table_->setFrameShape(QFrame::NoFrame);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(Look::sizes().size.rowTable);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table_->horizontalHeader()->setSectionResizeMode(CollectiveModel::where, QHeaderView::Stretch);
    table_->setItemDelegate(new PaddedDelegate(table_));
    table_->setAccessibleName(tr("Collectives of the step"));
    parts_ = new QSplitter(Qt::Vertical);
    parts_->addWidget(scroll);
    parts_->addWidget(table_);
    connect(parts_, &QSplitter::splitterMoved, this, [this] { areSharesChosen_ = true; });
    column->addWidget(parts_, 1);
    connect(&hub_, &RunHub::grown, this, &TimelineView::grow);
    connect(&prediction_, &RunPrediction::changed, this, [this] {
        showCurrent();
        showSelection();
    });
    connect(tracks_, &TimelineTracks::clicked, this, &TimelineView::select);
    connect(tracks_, &TimelineTracks::viewChosen, this, [this] { following_->setChecked(false); });
    connect(table_, &QTableView::clicked, this, [this](const QModelIndex& index) {
        select(index.data(CollectiveModel::layerRole).toString());
    });
    connect(&look_, &Look::changed, this, &TimelineView::applyLook);
    applyLook();
    fillSteps();
}

void TimelineView::makeHead(QLayout& column) {
    const Sizes& sizes = Look::sizes();
    auto* head = new QWidget;
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(sizes.space.m, sizes.space.xs, sizes.space.m, sizes.space.xs);
    row->setSpacing(sizes.space.s);
    empty_ = new QLabel;
    empty_->setMinimumWidth(1); // may shrink like the legend
    row->addWidget(empty_);
    row->addStretch();
    overlap_ = new QLabel;
    row->addWidget(overlap_);
    legend_ = new QLabel(tr(
        "Upper bar: predicted. Lower bar: measured. Dark: exposed communication. Pale: waiting."));
    legend_->setMinimumWidth(1); // may shrink, so that the window needn't grow
    row->addWidget(legend_);
    steps_ = new QComboBox;
    steps_->setAccessibleName(tr("Step"));
    steps_->setToolTip(tr("The time of this step, from the fetch of its batch to its last result "
                          "on all devices; the step time of the run is the median of all steps"));
    steps_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    steps_->setMinimumContentsLength(10);
    row->addWidget(steps_);
    following_ = new QToolButton;
    following_->setCheckable(true);
    following_->setChecked(true);
    following_->setText(tr("Typical step"));
    following_->setToolTip(tr("Shows the step whose time is nearest to the median of all steps; "
                              "choose another one in the list"));
    following_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    row->addWidget(following_);
    fit_ = new QToolButton;
    fit_->setText(tr("Fit"));
    fit_->setToolTip(tr("Shows the whole step (F)"));
    fit_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    row->addWidget(fit_);
    column.addWidget(head);
    connect(fit_, &QToolButton::clicked, this, [this] { tracks_->fit(); });
    connect(steps_, &QComboBox::activated, this, [this] {
        following_->setChecked(false);
        showStep(steps_->currentData().toLongLong());
    });
    connect(following_, &QToolButton::toggled, this, [this](bool isOn) {
        if (isOn) {
            tracks_->fit();
            fillSteps();
        }
    });
}

bool TimelineView::isFollowing() const { return following_->isChecked(); }

void TimelineView::applyLook() {
    const Theme& theme = look_.theme();
    for (QLabel* label : {legend_, overlap_, empty_}) {
        QPalette palette = label->palette();
        palette.setColor(QPalette::WindowText, theme.text.secondary);
        label->setPalette(palette);
        label->setFont(Look::sans(Look::sizes().type.small));
    }
    following_->setIcon(
        symbolIcon(QStringLiteral("actions/follow"), theme.text.secondary, theme.text.disabled));
    fit_->setIcon(
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
        steps_->clear();
        following_->setChecked(true);
    }
    if (growth.isNew || growth.hasSpans) {
        fillSteps();
        showSelection();
    }
}

void TimelineView::fillSteps() {
    const auto& steps = hub_.spans().steps();
    // Steps are appended in order; existing entries stay.
    const auto known = static_cast<std::size_t>(steps_->count());
    for (std::size_t i = known; i < steps.size(); ++i) {
        const QString number = quantity::count(static_cast<double>(steps[i].step));
        const auto seconds = secondsOfStep(hub_, steps[i].step);
        steps_->addItem(seconds ? tr("step %1: %2").arg(number, quantity::time(*seconds))
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
    empty_->setText(!whyNot.isEmpty() ? tr("Nothing is predicted: %1").arg(whyNot)
                    : isMeasured      ? QString()
                    : isPredicted     ? tr("Predicted only. Run one step to measure.")
                                      : tr("Tracks appear with the first step."));
    empty_->setToolTip(whyNot);
    steps_->setVisible(isMeasured);
    if (isMeasured) {
        steps_->setCurrentIndex(steps_->findData(QVariant::fromValue<qlonglong>(*step_)));
    }
    const SpanStore& shown = isMeasured ? hub_.spans() : prediction_.spans();
    tracks_->setHues(huesOf(hub_.design(), shown));
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
    overlap_->setText(totals.empty() ? QString()
                                     : tr("overlap %1").arg(quantity::percent(overlapOf(totals))));
    share();
    if (isMeasured && step_ != told_) {
        Q_EMIT stepShown(*step_);
    }
    told_ = step_;
}

void TimelineView::share() {
    // The tracks get their full height and the table the rest; a low view hides the table.
    const int rows = Look::sizes().size.rowTable;
    table_->setVisible(height() >= lowestWithTable);
    if (!areSharesChosen_) {
        const int tracks = std::min(tracks_->sizeHint().height(), height() - 8 * rows);
        parts_->setSizes({tracks, std::max(parts_->height() - tracks, rows)});
    }
}

void TimelineView::resizeEvent(QResizeEvent*) { share(); }

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
