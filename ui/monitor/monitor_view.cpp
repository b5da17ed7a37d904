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
    column->addWidget(makeHeader());
    scrollArea_ = new QScrollArea;
    scrollArea_->setWidgetResizable(true);
    scrollArea_->setFrameShape(QFrame::NoFrame);
    plotBoard_ = new QWidget;
    plotGrid_ = new QGridLayout(plotBoard_);
    plotGrid_->setContentsMargins(0, 0, 0, 0);
    plotGrid_->setSpacing(Look::sizes().space.s);
    scrollArea_->setWidget(plotBoard_);
    column->addWidget(scrollArea_, 1);
    emptyLabel_ = new QLabel(tr("Curves appear with the first step."));
    emptyLabel_->setAlignment(Qt::AlignCenter);
    column->addWidget(emptyLabel_, 1);
    connect(&hub_, &RunHub::grown, this, &MonitorView::grow);
    connect(&look_, &Look::changed, this, &MonitorView::applyLook);
    applyLook();
    makePlots();
}

MonitorView::~MonitorView() = default;

QWidget* MonitorView::makeHeader() {
    const Sizes& sizes = Look::sizes();
    auto* head = new QWidget;
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(sizes.space.m, sizes.space.xs, sizes.space.m, sizes.space.xs);
    row->setSpacing(sizes.space.s);
    headingLabel_ = new QLabel;
    row->addWidget(headingLabel_);
    endOverlayButton_ = makeButton(tr("End comparison"), false, head);
    endOverlayButton_->setToolTip(tr("Shows only the open run again"));
    endOverlayButton_->hide();
    connect(endOverlayButton_, &QToolButton::clicked, this, &MonitorView::overlayUnwanted);
    row->addWidget(endOverlayButton_);
    row->addStretch();
    smoothingLabel_ = new QLabel;
    row->addWidget(smoothingLabel_);
    smoothingSlider_ = new QSlider(Qt::Horizontal);
    smoothingSlider_->setRange(0, smoothingSteps);
    smoothingSlider_->setFixedWidth(80);
    smoothingSlider_->setAccessibleName(tr("Smoothing"));
    smoothingSlider_->setToolTip(
        tr("Sets how much each curve is smoothed; the measured values stay visible behind it"));
    row->addWidget(smoothingSlider_);
    xAxisChoice_ = new QComboBox;
    xAxisChoice_->addItem(tr("x: step"), int(XAxis::step));
    xAxisChoice_->addItem(tr("x: epoch"), int(XAxis::epoch));
    xAxisChoice_->addItem(tr("x: time"), int(XAxis::time));
    xAxisChoice_->setAccessibleName(tr("Quantity on the x axis"));
    row->addWidget(xAxisChoice_);
    logXButton_ = makeButton(tr("Log x"), true, head);
    logYButton_ = makeButton(tr("Log y"), true, head);
    followButton_ = makeButton(tr("Following"), true, head);
    exportButton_ = makeButton(tr("Export"), false, head);
    for (QToolButton* button : {logXButton_, logYButton_, followButton_, exportButton_}) {
        row->addWidget(button);
    }
    followButton_->setToolTip(
        tr("Shows all data as it arrives; also by F or a double click on a plot"));
    connectHeader();
    return head;
}

void MonitorView::connectHeader() {
    connect(smoothingSlider_, &QSlider::valueChanged, this, [this](int value) {
        link_.setSmoothing(mostSmoothing * value / smoothingSteps);
        smoothingLabel_->setText(tr("Smoothing %1").arg(link_.smoothing(), 0, 'f', 2));
    });
    smoothingSlider_->setValue(qRound(link_.smoothing() / mostSmoothing * smoothingSteps));
    connect(xAxisChoice_, &QComboBox::currentIndexChanged, this, [this] {
        link_.setAlong(static_cast<XAxis>(xAxisChoice_->currentData().toInt()));
        showFlags();
        refresh();
    });
    connect(logXButton_, &QToolButton::toggled, &link_, &PlotLink::setLog);
    connect(logYButton_, &QToolButton::toggled, this, [this](bool isLog) {
        for (Plot* plot : plots_) {
            plot->setLogY(isLog);
        }
    });
    connect(followButton_, &QToolButton::toggled, &link_, &PlotLink::setFollowing);
    connect(&link_, &PlotLink::followingChanged, this, [this](bool isFollowing) {
        followButton_->setChecked(isFollowing);
        followButton_->setText(isFollowing ? tr("Following") : tr("Follow"));
    });
    followButton_->setChecked(true);
    connect(exportButton_, &QToolButton::clicked, this, &MonitorView::exportWanted);
}

void MonitorView::applyLook() {
    headingLabel_->setText(runLegendHtml());
    const Theme& theme = look_.theme();
    const Sizes& sizes = Look::sizes();
    followButton_->setIcon(
        symbolIcon(QStringLiteral("actions/follow"), theme.text.secondary, theme.text.disabled));
    exportButton_->setIcon(
        symbolIcon(QStringLiteral("actions/export"), theme.text.secondary, theme.text.disabled));
    const QIcon log =
        symbolIcon(QStringLiteral("actions/log-axis"), theme.text.secondary, theme.text.disabled);
    logXButton_->setIcon(log);
    logYButton_->setIcon(log);
    for (QLabel* label : {headingLabel_, smoothingLabel_, emptyLabel_}) {
        QPalette palette = label->palette();
        palette.setColor(QPalette::WindowText, theme.text.secondary);
        label->setPalette(palette);
        label->setFont(Look::sans(sizes.type.small));
    }
    QPalette board = plotBoard_->palette();
    board.setColor(QPalette::Window, theme.surface.dock);
    plotBoard_->setPalette(board);
    plotBoard_->setAutoFillBackground(true);
}

void MonitorView::overlay(std::vector<OverlaidRun> runs) {
    overlaid_ = std::move(runs);
    endOverlayButton_->setVisible(!overlaid_.empty());
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
        link_.setDataRange(data);
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
    // A metric that equals another one in every run would be the same plot again.
    std::erase_if(metrics, [&](const MetricInfo& metric) {
        return std::ranges::all_of(runs, [&](const OverlaidRun& run) {
            const SeriesStore& store = run.hub->series();
            return std::ranges::all_of(store.all(), [&](const SeriesHandle& series) {
                return series->metric().name != metric.name ||
                       store.find(series->metric().equals, series->split()) != nullptr;
            });
        });
    });
    std::ranges::stable_sort(metrics, {}, [](const auto& one) { return rankOf(one.name); });
    std::vector<Plot*> old = std::exchange(plots_, {});
    for (const MetricInfo& metric : metrics) {
        const QString title = titleOf(metric);
        const auto known = std::ranges::find(old, title, &Plot::title);
        Plot* plot = known != old.end() ? *known : new Plot(look_, link_, title, plotBoard_);
        if (known != old.end()) {
            old.erase(known);
        }
        plot->setLogY(logYButton_->isChecked());
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
    headingLabel_->setText(runLegendHtml());
    emptyLabel_->setVisible(plots_.empty());
    scrollArea_->setVisible(!plots_.empty());
    refresh();
    showFlags();
    layOutPlots();
}

QString MonitorView::runLegendHtml() const {
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

void MonitorView::layOutPlots() {
    for (Plot* plot : plots_) {
        plotGrid_->removeWidget(plot);
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
        plotGrid_->addWidget(plot, row, column, 1, span);
        column += span;
        plot->setMinimumHeight(lowestPlot);
        plot->show();
    }
    for (int i = 0; i < 6; ++i) {
        plotGrid_->setColumnStretch(i, i < columns ? 1 : 0);
    }
}

void MonitorView::resizeEvent(QResizeEvent*) { layOutPlots(); }

void MonitorView::exportTo(const QString& file) const {
    std::vector<ExportedPlot> plots;
    plots.reserve(plots_.size());
    for (const Plot* plot : plots_) {
        plots.push_back({&plot->picture(), plot->geometry()});
    }
    exportPlots(plots, plotBoard_->size(), look_.theme(), file);
}

} // namespace weft::ui
