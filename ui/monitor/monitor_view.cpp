// SPDX-License-Identifier: Apache-2.0
#include "monitor/monitor_view.h"

#include "monitor/export_plots.h"
#include "theme/look.h"
#include "theme/quantity.h"
#include "theme/symbols.h"
#include <weft/run_figures.h>

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <set>

namespace weft::ui {

namespace {

constexpr int smoothingSteps = 100;
constexpr double mostSmoothing = 0.999;
constexpr int narrowestPlot = 300;
constexpr int lowestPlot = 190;

/// Sort key: losses first, then metrics of the outputs, then progress.
int rankOf(const std::string& metric) {
    static const std::vector<std::string> last = {"throughput", "learning_rate", "gradient_norm",
                                                  std::string(SeriesStore::stepTime)};
    if (isMainMetric(metric)) {
        return 0;
    }
    const auto found = std::ranges::find(last, metric);
    return found == last.end() ? 1 : 2 + static_cast<int>(found - last.begin());
}

/// Returns a readable title such as "Learning rate".
QString titleOf(const MetricInfo& metric) {
    QString text = QString::fromStdString(metric.name).replace('_', ' ');
    if (!text.isEmpty()) {
        text[0] = text[0].toUpper();
    }
    return text;
}

QToolButton* makeButton(const QString& text, bool isCheckable, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setText(text);
    button->setCheckable(isCheckable);
    button->setAutoRaise(false);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    return button;
}

} // namespace

MonitorView::MonitorView(const Look& look, const RunHub& hub, QWidget* parent)
    : QWidget(parent), look_(look), hub_(hub) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeHead());
    scroll_ = new QScrollArea;
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    board_ = new QWidget;
    grid_ = new QGridLayout(board_);
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setSpacing(Look::sizes().space.s);
    scroll_->setWidget(board_);
    column->addWidget(scroll_, 1);
    empty_ = new QLabel(tr("Curves appear with the first step."));
    empty_->setAlignment(Qt::AlignCenter);
    column->addWidget(empty_, 1);
    connect(&hub_, &RunHub::grown, this, &MonitorView::grow);
    connect(&look_, &Look::changed, this, &MonitorView::applyLook);
    applyLook();
    makePlots();
}

MonitorView::~MonitorView() = default;

QWidget* MonitorView::makeHead() {
    const Sizes& sizes = Look::sizes();
    auto* head = new QWidget;
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(sizes.space.m, sizes.space.xs, sizes.space.m, sizes.space.xs);
    row->setSpacing(sizes.space.s);
    heading_ = new QLabel;
    row->addWidget(heading_);
    alone_ = makeButton(tr("End comparison"), false, head);
    alone_->setToolTip(tr("Shows only the open run again"));
    alone_->hide();
    connect(alone_, &QToolButton::clicked, this, &MonitorView::overlayUnwanted);
    row->addWidget(alone_);
    row->addStretch();
    smoothingLabel_ = new QLabel;
    row->addWidget(smoothingLabel_);
    smoothing_ = new QSlider(Qt::Horizontal);
    smoothing_->setRange(0, smoothingSteps);
    smoothing_->setFixedWidth(80);
    smoothing_->setAccessibleName(tr("Smoothing"));
    smoothing_->setToolTip(
        tr("Sets how much each curve is smoothed; the measured values stay visible behind it"));
    row->addWidget(smoothing_);
    along_ = new QComboBox;
    along_->addItem(tr("x: step"), int(Along::step));
    along_->addItem(tr("x: epoch"), int(Along::epoch));
    along_->addItem(tr("x: time"), int(Along::time));
    along_->setAccessibleName(tr("Quantity on the x axis"));
    row->addWidget(along_);
    logX_ = makeButton(tr("Log x"), true, head);
    logY_ = makeButton(tr("Log y"), true, head);
    following_ = makeButton(tr("Following"), true, head);
    export_ = makeButton(tr("Export"), false, head);
    for (QToolButton* button : {logX_, logY_, following_, export_}) {
        row->addWidget(button);
    }
    following_->setToolTip(
        tr("Shows all data as it arrives; also by F or a double click on a plot"));
    connectHead();
    return head;
}

void MonitorView::connectHead() {
    connect(smoothing_, &QSlider::valueChanged, this, [this](int value) {
        link_.setSmoothing(mostSmoothing * value / smoothingSteps);
        smoothingLabel_->setText(tr("Smoothing %1").arg(link_.smoothing(), 0, 'f', 2));
    });
    smoothing_->setValue(qRound(link_.smoothing() / mostSmoothing * smoothingSteps));
    connect(along_, &QComboBox::currentIndexChanged, this, [this] {
        link_.setAlong(static_cast<Along>(along_->currentData().toInt()));
        showFlags();
        refresh();
    });
    connect(logX_, &QToolButton::toggled, &link_, &PlotLink::setLog);
    connect(logY_, &QToolButton::toggled, this, [this](bool isLog) {
        for (Plot* plot : plots_) {
            plot->setLogY(isLog);
        }
    });
    connect(following_, &QToolButton::toggled, &link_, &PlotLink::setFollowing);
    connect(&link_, &PlotLink::followingChanged, this, [this](bool isFollowing) {
        following_->setChecked(isFollowing);
        following_->setText(isFollowing ? tr("Following") : tr("Follow"));
    });
    following_->setChecked(true);
    connect(export_, &QToolButton::clicked, this, &MonitorView::exportWanted);
}

void MonitorView::applyLook() {
    heading_->setText(legend());
    const Theme& theme = look_.theme();
    const Sizes& sizes = Look::sizes();
    following_->setIcon(
        symbolIcon(QStringLiteral("actions/follow"), theme.text.secondary, theme.text.disabled));
    export_->setIcon(
        symbolIcon(QStringLiteral("actions/export"), theme.text.secondary, theme.text.disabled));
    const QIcon log =
        symbolIcon(QStringLiteral("actions/log-axis"), theme.text.secondary, theme.text.disabled);
    logX_->setIcon(log);
    logY_->setIcon(log);
    for (QLabel* label : {heading_, smoothingLabel_, empty_}) {
        QPalette palette = label->palette();
        palette.setColor(QPalette::WindowText, theme.text.secondary);
        label->setPalette(palette);
        label->setFont(Look::sans(sizes.type.small));
    }
    QPalette board = board_->palette();
    board.setColor(QPalette::Window, theme.surface.dock);
    board_->setPalette(board);
    board_->setAutoFillBackground(true);
}

void MonitorView::overlay(std::vector<OverlaidRun> runs) {
    overlaid_ = std::move(runs);
    alone_->setVisible(!overlaid_.empty());
    seriesSeen_ = 0;
    makePlots();
}

std::vector<OverlaidRun> MonitorView::shown() const {
    if (overlaid_.empty()) {
        return {{hub_.name(), &hub_, -1}};
    }
    std::vector<OverlaidRun> runs = overlaid_;
    std::erase_if(runs, [](const OverlaidRun& run) { return run.hub == nullptr; });
    return runs;
}

void MonitorView::grow(const RunGrowth& growth) {
    if (growth.isNew) {
        flags_.clear();
        makePlots(); // must precede the link's signals, which would move plots of the previous run
        link_.follow();
    } else if (growth.hasSteps || growth.hasFiles) {
        refresh();
    }
}

void MonitorView::refresh() {
    std::size_t count = 0;
    Range data{std::numeric_limits<double>::infinity(), 0};
    for (const OverlaidRun& run : shown()) {
        count += run.hub->series().size();
        for (const Split split : {Split::train, Split::evaluate}) {
            const StepRows& rows = run.hub->series().rows(split);
            if (rows.size() > 0) {
                data.least = std::min(data.least, rows.at(link_.along(), 0));
                data.most = std::max(data.most, rows.at(link_.along(), rows.size() - 1));
            }
        }
    }
    if (data.least <= data.most) {
        link_.setData(data);
    }
    if (count != seriesSeen_) {
        makePlots();
        return;
    }
    if (flags_.follow(hub_)) {
        showFlags();
    }
    for (Plot* plot : plots_) {
        plot->grow();
    }
}

void MonitorView::showFlags() {
    // Changes of the learning rate are marked in plots of losses and metrics, checkpoints in step
    // time and the first plot.
    for (Plot* plot : plots_) {
        const int rank =
            plot->curves().empty() ? 0 : rankOf(plot->curves().front().series->metric().name);
        const bool isTime =
            rank == rankOf("throughput") || rank == rankOf(std::string(SeriesStore::stepTime));
        plot->setFlags(overlaid_.empty()
                           ? flags_.flags(hub_, link_.along(), rank < 2, rank == 0 || isTime)
                           : std::vector<PlotFlag>());
    }
}

void MonitorView::makePlots() {
    const std::vector<OverlaidRun> runs = shown();
    std::vector<MetricInfo> metrics;
    seriesSeen_ = 0;
    for (const OverlaidRun& run : runs) {
        seriesSeen_ += run.hub->series().size();
        for (const SeriesHandle& series : run.hub->series().all()) {
            if (std::ranges::find(metrics, series->metric().name, &MetricInfo::name) ==
                metrics.end()) {
                metrics.push_back(series->metric());
            }
        }
    }
    std::ranges::stable_sort(metrics, {}, [](const auto& one) { return rankOf(one.name); });
    std::vector<Plot*> old = std::exchange(plots_, {});
    for (const MetricInfo& metric : metrics) {
        const QString title = titleOf(metric);
        const auto known = std::ranges::find(old, title, &Plot::title);
        Plot* plot = known != old.end() ? *known : new Plot(look_, link_, title, board_);
        if (known != old.end()) {
            old.erase(known);
        }
        plot->setLogY(logY_->isChecked());
        std::vector<PlotCurve> curves;
        std::set<QString> splits;
        for (const OverlaidRun& run : runs) {
            for (const SeriesHandle& series : run.hub->series().all()) {
                if (series->metric().name != metric.name) {
                    continue;
                }
                const QString split =
                    series->split() == Split::train ? tr("train") : tr("validation");
                splits.insert(split);
                curves.push_back({series, overlaid_.empty() ? split : run.name + ' ' + split,
                                  run.colour, metric.name != "learning_rate",
                                  rankOf(metric.name) < 2});
            }
        }
        QStringList words(splits.begin(), splits.end());
        if (!metric.unit.empty() && metric.unit != "s") { // seconds are written with the numbers
            words << QString::fromStdString(metric.unit);
        }
        plot->setCurves(std::move(curves), words.join(QStringLiteral(" · ")));
        plots_.push_back(plot);
    }
    qDeleteAll(old);
    heading_->setText(legend());
    empty_->setVisible(plots_.empty());
    scroll_->setVisible(!plots_.empty());
    refresh();
    showFlags();
    layOut();
}

QString MonitorView::legend() const {
    if (overlaid_.empty()) {
        return {};
    }
    QString text = tr("Colours are runs, not devices");
    for (const OverlaidRun& run : overlaid_) {
        text += QStringLiteral("&nbsp;&nbsp; <span style=\"color:%1\">■</span> %2")
                    .arg(look_.theme().ofDevice(run.colour).name(), run.name.toHtmlEscaped());
    }
    return text;
}

void MonitorView::layOut() {
    for (Plot* plot : plots_) {
        grid_->removeWidget(plot);
    }
    if (plots_.empty()) {
        return;
    }
    const int columns = std::clamp(width() / narrowestPlot, 1, 5);
    // The loss spans two columns if there are at least three.
    const int wide = columns >= 3 ? 2 : 1;
    int row = 0;
    int column = 0;
    for (Plot* plot : plots_) {
        const int span = plot == plots_.front() ? wide : 1;
        if (column + span > columns) {
            ++row;
            column = 0;
        }
        grid_->addWidget(plot, row, column, 1, span);
        column += span;
        plot->setMinimumHeight(lowestPlot);
        plot->show();
    }
    for (int i = 0; i < 6; ++i) {
        grid_->setColumnStretch(i, i < columns ? 1 : 0);
    }
}

void MonitorView::resizeEvent(QResizeEvent*) { layOut(); }

void MonitorView::exportTo(const QString& file) const {
    std::vector<ExportedPlot> plots;
    plots.reserve(plots_.size());
    for (const Plot* plot : plots_) {
        plots.push_back({&plot->picture(), plot->geometry()});
    }
    exportPlots(plots, board_->size(), look_.theme(), file);
}

} // namespace weft::ui
