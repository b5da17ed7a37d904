// SPDX-License-Identifier: Apache-2.0
#include "shell/bars/run_strip.h"

#include "runs/figure_words.h"
#include "runs/layer_place.h"
#include "runs/run_status.h"
#include "runs/step_analysis.h"
#include "theme/quantity.h"
#include "theme/style.h"
#include "theme/symbols.h"
#include "workspace/prediction_words.h"

#include <QDateTime>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace weft::ui {

namespace {

constexpr int tenTimesASecond = 100;
constexpr int onceASecond = 1000;

/// A part of the strip: label, number, and predicted number.
struct Figure {
    QString label;
    QString number;
    QString beside;
};

struct Said {
    QString icon;
    QString name;
    QString state;
    QString step, ofSteps;
    double progress = -1; ///< from 0 to 1; negative: unknown
    std::vector<Figure> parts;
    QString checkpoint;
    QString tip; ///< details that do not fit
    [[nodiscard]] QString text() const {
        QStringList words{name, state, step, ofSteps};
        for (const Figure& part : parts) {
            words << part.label << part.number << part.beside;
        }
        words << checkpoint;
        words.removeAll(QString());
        return words.join(' ');
    }
};

struct StateWords {
    const char* icon;
    QString text;
};

QString whyOf(const RunHub& hub) {
    return hub.copy() ? QString::fromStdString(hub.copy()->why) : QString();
}

QString waitingText(const RunHub& hub) {
    const QString why = whyOf(hub);
    return why.isEmpty() ? RunStrip::tr("waiting") : RunStrip::tr("waiting: %1").arg(why);
}

/// Returns the name, with the host if it is another one.
QString titleOf(const RunHub& hub) {
    const QString name = nameOfRun(hub.name());
    return hub.copy() ? RunStrip::tr("%1 on %2").arg(name, QString::fromStdString(hub.copy()->host))
                      : name;
}

StateWords wordsOf(const RunHub& hub) {
    if (hub.isPaused()) {
        return {"actions/pause", nameOfState(hub.state(), true)};
    }
    switch (hub.state()) {
    case RunState::living:
        return {"actions/run",
                hub.lastStep() < 0 ? RunStrip::tr("preparing") : nameOfState(hub.state())};
    case RunState::done: return {"states/good", nameOfState(hub.state())};
    case RunState::stopped: return {"actions/stop", nameOfState(hub.state())};
    case RunState::failed: return {"states/error", nameOfState(hub.state())};
    case RunState::waiting: return {"states/waiting", waitingText(hub)};
    case RunState::unknown: return {"states/waiting", whyOf(hub)};
    case RunState::lost: break;
    }
    return hub.attempts().empty() && !hub.copy()
               ? StateWords{"states/waiting", RunStrip::tr("reading")}
               : StateWords{"states/error", nameOfState(RunState::lost)};
}

/// Returns what throughput counts, such as "examples".
QString rateLabel(const RunHub& hub) {
    const SeriesHandle series = hub.series().find("throughput", Split::train);
    const QString unit =
        series == nullptr ? QString() : QString::fromStdString(series->metric().unit);
    return unit.isEmpty() ? RunStrip::tr("examples") : unit.section('/', 0, 0);
}

/// Returns the overlap in the typical step.
std::optional<double> overlapIn(const RunHub& hub) {
    const StepWindow* typical = typicalStep(hub);
    if (typical == nullptr) {
        return std::nullopt;
    }
    const std::vector<StepTotals> totals = hub.totals(typical->step);
    const bool communicates = std::ranges::any_of(
        totals, [](const StepTotals& total) { return total.communicate.count > 0; });
    return communicates ? std::optional(overlapOf(totals)) : std::nullopt;
}

QString predictedOf(const std::optional<double>& value, QString (*words)(double)) {
    return value ? quantity::predicted(words(*value)) : QString();
}

QString perSecond(double rate) {
    return quantity::rate(rate, {}).replace(QStringLiteral(" /s"), QStringLiteral("/s"));
}

/// Formats an age in whole seconds.
QString ageOf(double seconds) {
    constexpr double longest = 90;
    return seconds < longest ? RunStrip::tr("%1\u202Fs").arg(std::max(1, static_cast<int>(seconds)))
                             : quantity::time(seconds);
}

/// Returns the range of the predicted step, with a note if the measured step lies outside.
QString bandOf(const Preview* predicted, const std::optional<double>& measured) {
    if (predicted == nullptr || !predicted->step || !predicted->step->band.isKnown()) {
        return {};
    }
    const double low = quantity::seconds(predicted->step->band.low);
    const double high = quantity::seconds(predicted->step->band.high);
    const QString said = RunStrip::tr("Predicted step: %1, by the uncertainty of the rates %2")
                             .arg(quantity::predicted(quantity::time(predicted->step->time)),
                                  quantity::timeBand(low, high));
    return measured && (*measured < low || *measured > high)
               ? RunStrip::tr("%1; the measured step is outside").arg(said)
               : said;
}

/// Returns explanations of the numbers, and the numbers that do not fit.
QString figuresOf(const RunHub& hub) {
    QStringList lines{stepTimeWords(hub.figures())};
    if (hub.series().find("throughput", Split::train) != nullptr) {
        lines << RunStrip::tr("%1 per second: the mean of the last 100 steps").arg(rateLabel(hub));
    }
    lines << bestLossWords(hub.figures());
    if (!hub.attempts().empty()) {
        lines << memoryWords(hub.figures(), hub.attempts().back().devices);
    }
    lines.removeAll(QString());
    return lines.join('\n');
}

Said sayingOfNone(const WindowContext& context) {
    const auto tickets = context.control.tickets();
    const auto starting = std::ranges::find(tickets, TicketState::starting, &RunTicket::state);
    Said said;
    if (starting != tickets.end()) {
        said.icon = QStringLiteral("states/waiting");
        said.name = starting->host.isEmpty() ? RunStrip::tr("Starting …")
                                             : RunStrip::tr("Starting on %1 …").arg(starting->host);
        said.state = starting->message;
    } else {
        said.name = RunStrip::tr("No run yet");
        said.state = RunStrip::tr(
            "Run trains the design as it is now; Attach shows a run that was started elsewhere");
    }
    return said;
}

/// Shows the prediction until the first spans arrive.
std::optional<Figure> iterationsSaid(const RunStatus& status) {
    const auto& predicted = status.predictedIterations;
    const auto& known = status.iterations ? status.iterations : predicted;
    if (!known) {
        return std::nullopt;
    }
    const auto timeOf = [](const Iterations& one) { return quantity::time(one.each); };
    return Figure{RunStrip::tr("%1 iterations of").arg(known->count),
                  status.iterations ? timeOf(*status.iterations) : QString(),
                  predicted ? quantity::predicted(timeOf(*predicted)) : QString()};
}

std::optional<Figure> syncSaid(const RunStatus& status) {
    if (!status.sync) {
        return std::nullopt;
    }
    const QString often = reduceIntervalText(status.sync->sync);
    const QString layer = QString::fromStdString(status.sync->layer);
    return Figure{layer.isEmpty() ? RunStrip::tr("sent %1").arg(often)
                                  : RunStrip::tr("%1 sent %2").arg(layer, often),
                  quantity::bytes(static_cast<double>(status.sync->sync.sentPerDevice.count)),
                  {}};
}

QString checkpointSaid(const RunHub& hub, const RunStatus& status) {
    if (!status.checkpoint) {
        return {};
    }
    const QString step = quantity::count(static_cast<double>(*status.checkpoint));
    return hub.isLiving() && status.checkpointAge
               ? RunStrip::tr("checkpoint %1, %2 ago").arg(step, ageOf(*status.checkpointAge))
               : RunStrip::tr("checkpoint %1").arg(step);
}

Said sayingOf(const WindowContext& context) {
    const RunHub& hub = context.hub;
    Said said;
    const double now = static_cast<double>(QDateTime::currentMSecsSinceEpoch()) / 1e3;
    const RunStatus status = statusOf(hub, context.prediction.preview(), now);
    const StateWords state = wordsOf(hub);
    said.tip = figuresOf(hub);
    if (const QString band = bandOf(context.prediction.preview(), status.stepSeconds);
        !band.isEmpty()) {
        said.tip += '\n' + band;
    }
    said.icon = QLatin1String(state.icon);
    said.name = titleOf(hub);
    const OpenDesign* design = context.designs.current();
    const bool isOther = design != nullptr && !hub.attempts().empty() && !design->owns(hub);
    said.state = isOther ? RunStrip::tr("%1 (run of another design)").arg(state.text) : state.text;
    if (hub.copy() && hub.attempts().empty()) {
        return said; // the run has not begun, so it has no numbers
    }
    said.step = quantity::count(static_cast<double>(status.step));
    if (status.steps) {
        said.ofSteps =
            RunStrip::tr("of %1 steps").arg(quantity::count(static_cast<double>(*status.steps)));
        said.progress = *status.steps > 0
                            ? static_cast<double>(status.step) / static_cast<double>(*status.steps)
                            : 0;
    } else {
        said.ofSteps = RunStrip::tr("steps");
    }
    if (status.secondsLeft) {
        said.parts.push_back(
            {RunStrip::tr("left"),
             hub.isPaused() ? quantity::none() : quantity::time(*status.secondsLeft),
             {}});
    }
    if (status.stepSeconds) {
        said.parts.push_back({RunStrip::tr("step"), quantity::time(*status.stepSeconds),
                              predictedOf(status.predictedStep, quantity::time)});
    }
    if (const auto iterations = iterationsSaid(status)) {
        said.parts.push_back(*iterations);
    }
    if (status.throughput) {
        said.parts.push_back({rateLabel(hub), perSecond(*status.throughput),
                              predictedOf(status.predictedRate, perSecond)});
    }
    if (const auto sync = syncSaid(status)) {
        said.parts.push_back(*sync);
    }
    if (const auto overlap = overlapIn(hub)) {
        said.parts.push_back({RunStrip::tr("overlap"), quantity::percent(*overlap), {}});
    }
    said.checkpoint = checkpointSaid(hub, status);
    return said;
}

} // namespace

/// Paints the parts from left to right; parts on the right are dropped if there is no room.
class RunStrip::Line : public QWidget {
public:
    Line(WindowContext& context, QWidget* parent) : QWidget(parent), context_(context) {
        setFixedHeight(tokens().sizes.size.topBar);
        setAttribute(Qt::WA_OpaquePaintEvent);
        setObjectName(QStringLiteral("runLine"));
        setAccessibleName(RunStrip::tr("Run"));
    }
    void refresh() {
        said_ = context_.hub.isOpen() ? sayingOf(context_) : sayingOfNone(context_);
        setAccessibleDescription(said_.text());
        setToolTip(said_.tip.isEmpty() ? context_.hub.folder()
                                       : context_.hub.folder() + '\n' + said_.tip);
        update();
    }
    [[nodiscard]] QString text() const { return said_.text(); }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        const Theme& theme = context_.look.theme();
        const Sizes& sizes = tokens().sizes;
        painter.fillRect(rect(), theme.surface.dock);
        painter.fillRect(0, height() - 1, width(), 1, theme.line.subtle);
        int x = sizes.space.l;
        if (!said_.icon.isEmpty()) {
            const int size = sizes.size.icon;
            painter.drawPixmap(QPoint(x, (height() - size) / 2),
                               symbol(said_.icon, size, inkOf(theme), devicePixelRatioF()));
            x += size + sizes.space.s;
        }
        const QFont name = Look::sans(sizes.type.label, sizes.type.semibold);
        const QFont words = Look::sans(sizes.type.body);
        const QFont number = Look::mono(sizes.type.body, sizes.type.medium);
        write(painter, x, said_.name, name, theme.text.primary);
        // A long state is shortened to leave room for the numbers after it.
        const int steps = said_.step.isEmpty()
                              ? 0
                              : QFontMetrics(number).horizontalAdvance(said_.step) +
                                    QFontMetrics(words).horizontalAdvance(said_.ofSteps) +
                                    shortest + 4 * sizes.space.xl;
        const int room = std::max(0, width() - sizes.space.l - x - steps);
        write(painter, x, QFontMetrics(words).elidedText(said_.state, Qt::ElideRight, room), words,
              theme.text.secondary);
        if (said_.step.isEmpty()) {
            return;
        }
        // The checkpoint is right-aligned, if there is room for it.
        const int last = QFontMetrics(words).horizontalAdvance(said_.checkpoint);
        int right = width() - sizes.space.l;
        if (!said_.checkpoint.isEmpty() && x + needed(words, number) + last < right) {
            painter.setFont(words);
            painter.setPen(theme.text.secondary);
            painter.drawText(QRect(right - last, 0, last, height()), Qt::AlignVCenter,
                             said_.checkpoint);
            right -= last + sizes.space.xl;
        }
        x += sizes.space.xl;
        write(painter, x, said_.step, number, theme.text.primary);
        write(painter, x, said_.ofSteps, words, theme.text.secondary);
        writeProgress(painter, x, right, needed(words, number));
        for (const Figure& part : said_.parts) {
            if (x + sizes.space.xl + widthOf(part, words, number) > right) {
                break;
            }
            x += sizes.space.xl;
            write(painter, x, part.label, words, theme.text.secondary);
            write(painter, x, part.number, number, theme.text.primary);
            write(painter, x, part.beside, Look::mono(sizes.type.body), theme.text.secondary);
        }
    }

private:
    static constexpr int shortest = 48; ///< least width of the progress bar, in pixels

    [[nodiscard]] const QColor& inkOf(const Theme& theme) const {
        const RunState state = context_.hub.state();
        const bool hasBegun = !context_.hub.attempts().empty() || context_.hub.copy();
        const bool isBad = context_.hub.isOpen() && hasBegun &&
                           (state == RunState::failed || state == RunState::lost);
        return isBad ? theme.semantic.error : theme.text.primary;
    }
    void write(QPainter& painter, int& x, const QString& text, const QFont& font,
               const QColor& colour) const {
        if (text.isEmpty()) {
            return;
        }
        painter.setFont(font);
        painter.setPen(colour);
        const int wide = QFontMetrics(font).horizontalAdvance(text);
        painter.drawText(QRect(x, 0, wide + 1, height()), Qt::AlignVCenter, text);
        x += wide + tokens().sizes.space.m;
    }
    void writeProgress(QPainter& painter, int& x, int right, int needed) const {
        const Sizes& sizes = tokens().sizes;
        if (said_.progress < 0) {
            return;
        }
        constexpr int longest = 150;
        const int wide = std::clamp(right - x - needed, shortest, longest);
        const Theme& theme = context_.look.theme();
        const QRect bar(x, (height() - sizes.size.timeBarBox) / 2, wide, sizes.size.timeBarBox);
        painter.fillRect(bar, theme.line.normal);
        painter.fillRect(
            QRect(bar.topLeft(),
                  QSize(qRound(wide * std::clamp(said_.progress, 0.0, 1.0)), bar.height())),
            theme.accent.ink);
        x += wide;
    }
    [[nodiscard]] static int widthOf(const Figure& part, const QFont& words, const QFont& number) {
        const int gap = tokens().sizes.space.m;
        const int beside =
            part.beside.isEmpty() ? 0 : QFontMetrics(number).horizontalAdvance(part.beside) + gap;
        return QFontMetrics(words).horizontalAdvance(part.label) + gap +
               QFontMetrics(number).horizontalAdvance(part.number) + beside;
    }
    /// Width of the numbers after the progress bar.
    [[nodiscard]] int needed(const QFont& words, const QFont& number) const {
        int sum = 0;
        for (const Figure& part : said_.parts) {
            sum += widthOf(part, words, number) + tokens().sizes.space.xl;
        }
        return sum;
    }

    WindowContext& context_;
    Said said_;
};

RunStrip::RunStrip(WindowContext& context, QWidget* parent)
    : QWidget(parent), context_(context), line_(new Line(context, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(line_);
    column->addWidget(makeFailure());
    soon_.setSingleShot(true);
    soon_.setInterval(tenTimesASecond);
    connect(&soon_, &QTimer::timeout, this, &RunStrip::refresh);
    clock_.setInterval(onceASecond);
    connect(&clock_, &QTimer::timeout, this, [this] {
        if (context_.hub.isLiving() && isVisible()) {
            refreshSoon();
        }
    });
    clock_.start();
    connect(&context_.hub, &RunHub::grown, this, &RunStrip::refreshSoon);
    connect(&context_.control, &RunControl::changed, this, &RunStrip::refreshSoon);
    connect(&context_.designs, &OpenDesigns::currentChanged, this, &RunStrip::refreshSoon);
    connect(&context_.prediction, &RunPrediction::changed, this, &RunStrip::refreshSoon);
    connect(&context_.look, &Look::changed, this, &RunStrip::refresh);
    refresh();
}

RunStrip::~RunStrip() = default;

QString RunStrip::text() const { return line_->text(); }

void RunStrip::refreshSoon() {
    if (!soon_.isActive()) {
        soon_.start();
    }
}

void RunStrip::refresh() {
    line_->refresh();
    showFailure();
}

QWidget* RunStrip::makeFailure() {
    const Sizes& sizes = tokens().sizes;
    failureRow_ = new QWidget(this);
    failureRow_->setFixedHeight(sizes.size.dockTitle);
    failureRow_->setAutoFillBackground(true);
    auto* row = new QHBoxLayout(failureRow_);
    row->setContentsMargins(sizes.space.l, 0, sizes.space.l, 0);
    row->setSpacing(sizes.space.s);
    failureIcon_ = new QLabel(failureRow_);
    row->addWidget(failureIcon_);
    failureText_ = new QLabel(failureRow_);
    failureText_->setTextFormat(Qt::PlainText); // may come from another host
    failureText_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    failureText_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    row->addWidget(failureText_, 1);
    const auto add = [&](const QString& text) {
        auto* button = new QPushButton(text, failureRow_);
        button->setFixedHeight(sizes.size.controlSmall);
        button->setFocusPolicy(Qt::TabFocus);
        row->addWidget(button);
        return button;
    };
    layerButton_ = add({});
    connect(layerButton_, &QPushButton::clicked, this, &RunStrip::showFailedLayer);
    resumeButton_ = add(tr("Resume"));
    resumeButton_->setToolTip(tr("Resumes from its last checkpoint"));
    connect(resumeButton_, &QPushButton::clicked, this,
            [this] { context_.commands.find(QStringLiteral("run.resume"))->trigger(); });
    auto* log = add(tr("Open log"));
    log->setObjectName(QStringLiteral("log"));
    connect(log, &QPushButton::clicked, this, &RunStrip::logWanted);
    failureRow_->hide();
    return failureRow_;
}

void RunStrip::showFailure() {
    failure_ = failureOf(context_.hub);
    failureRow_->setVisible(static_cast<bool>(failure_));
    if (!failure_) {
        return;
    }
    const Theme& theme = context_.look.theme();
    QPalette palette = failureRow_->palette();
    palette.setColor(QPalette::Window, theme.surface.dock);
    failureRow_->setPalette(palette);
    failureIcon_->setPixmap(symbol(QStringLiteral("states/error"), tokens().sizes.size.icon,
                                   theme.semantic.error, devicePixelRatioF()));
    RunFailure withoutLog = failure_;
    withoutLog.log.clear();
    failureText_->setText(withoutLog.text());
    failureText_->setToolTip(failure_.text());
    layerButton_->setText(tr("Show %1").arg(failure_.layer));
    layerButton_->setVisible(!failure_.layer.isEmpty());
    resumeButton_->setVisible(!context_.hub.checkpoints().empty());
}

void RunStrip::showFailedLayer() {
    OpenDesign* design = context_.designs.current();
    if (design == nullptr) {
        return;
    }
    const auto place = placeOf(design->document().design(), failure_.layer.toStdString());
    if (!place) {
        Q_EMIT context_.notice(tr("The design has no layer %1 any more").arg(failure_.layer),
                               false);
        return;
    }
    design->selection().enter(place->path);
    Q_EMIT context_.revealWanted(place->layer);
}

} // namespace weft::ui
