// SPDX-License-Identifier: Apache-2.0
#include "shell/bars/status_line.h"

#include "document/count_layers.h"
#include "macros/macro_recorder.h"
#include "theme/quantity.h"
#include "theme/style.h"
#include "theme/symbols.h"
#include "workspace/absent_devices.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>

namespace weft::ui {

StatusLine::StatusLine(WindowContext& context, MacroRecorder& recorder, QWidget* parent)
    : Panel(context, parent),
      recorder_(recorder),
      problems_(new QPushButton(this)),
      recording_(new QPushButton(this)),
      living_(new QPushButton(this)),
      size_(new QLabel(this)),
      checked_(new QLabel(this)),
      saved_(new QLabel(this)) {
    const Sizes& sizes = tokens().sizes;
    setFixedHeight(sizes.size.statusBar);
    auto* layout = new QHBoxLayout(this);
    layout->setSpacing(sizes.space.xl);
    const auto add = [&](QPushButton* button) {
        button->setFlat(true);
        button->setFixedHeight(sizes.size.controlSmall);
        button->setFocusPolicy(Qt::TabFocus);
        button->setFont(Look::sans(sizes.type.small));
        layout->addWidget(button);
    };
    const auto give = [&](QPushButton* button, const char* command) {
        connect(button, &QPushButton::clicked, this, [this, command] {
            if (QAction* action = this->context().commands.find(QLatin1String(command))) {
                action->trigger();
            }
        });
        add(button);
    };
    give(problems_, "dock.problems");
    recording_->setObjectName(QStringLiteral("recording"));
    recording_->setToolTip(tr("Edits are being recorded as a macro: click to end the recording"));
    give(recording_, "macros.record");
    connect(&recorder, &MacroRecorder::changed, this, &StatusLine::showRecording);
    showRecording();
    living_->setObjectName(QStringLiteral("living"));
    add(living_);
    connect(living_, &QPushButton::clicked, this, &StatusLine::attach);
    connect(&context.living, &LivingRuns::changed, this, &StatusLine::showLiving);
    connect(&context.hub, &RunHub::grown, this, [this](const RunGrowth& growth) {
        if (growth.isNew) {
            showLiving();
        }
    });
    showLiving();
    for (QLabel* label : {size_, checked_, saved_}) {
        label->setFont(Look::sans(sizes.type.small));
        setTier(*label, Tier::secondary);
    }
    layout->addWidget(size_);
    layout->addStretch();
    layout->addWidget(checked_);
    layout->addWidget(saved_);
}

void StatusLine::refresh(unsigned) {
    const bool isOpen = design() != nullptr;
    const int room = tokens().sizes.space.l;
    showLiving();
    const bool hasButton = isOpen || living_->isVisibleTo(this);
    layout()->setContentsMargins(hasButton ? 0 : room, 0, room, 0); // a button has its own margins
    for (QWidget* part : {static_cast<QWidget*>(problems_), static_cast<QWidget*>(checked_)}) {
        part->setVisible(isOpen);
    }
    if (!isOpen) {
        size_->setText(tr("Drop a .weft file anywhere"));
        saved_->setText(tr("Help F1"));
        return;
    }
    showProblems();
    showRecording();
    showSize();
    const DesignDocument& document = design()->document();
    checked_->setText(
        tr("Checked in %1").arg(quantity::time(design()->check().answer()->milliseconds / 1e3)));
    const QFileInfo file(document.file());
    saved_->setText(
        document.isModified() ? tr("Not saved")
        : document.file().isEmpty()
            ? QString()
            : tr("Saved %1").arg(file.lastModified().toString(QStringLiteral("HH:mm"))));
}

void StatusLine::showProblems() {
    std::map<Severity, int> counts;
    for (const Diagnostic& problem : design()->check().answer()->preview->problems) {
        ++counts[problem.severity];
    }
    QStringList words;
    QString icon = QStringLiteral("states/good");
    QColor colour = context().look.theme().semantic.ok;
    const auto say = [&](Severity severity, const QString& text, const char* picture,
                         const QColor& tint) {
        if (counts[severity] > 0) {
            words.prepend(text);
            icon = QLatin1String(picture);
            colour = tint;
        }
    };
    const Theme& theme = context().look.theme();
    say(Severity::note, quantity::counted(counts[Severity::note], tr("hint"), tr("hints")),
        "states/hint", theme.semantic.info);
    say(Severity::warning,
        quantity::counted(counts[Severity::warning], tr("warning"), tr("warnings")),
        "states/warning", theme.semantic.warning);
    say(Severity::error, quantity::counted(counts[Severity::error], tr("error"), tr("errors")),
        "states/error", theme.semantic.error);
    if (const QString absent = absentText(absentDevices(context(), *design())); !absent.isEmpty()) {
        if (words.isEmpty()) {
            icon = QStringLiteral("states/hint");
            colour = theme.semantic.info;
        }
        words << absent;
    }
    problems_->setText(words.isEmpty() ? tr("No problems") : words.join(QStringLiteral(" · ")));
    problems_->setIcon(symbolIcon(icon, colour, theme.text.disabled));
}

void StatusLine::showRecording() {
    recording_->setVisible(recorder_.isRecording());
    recording_->setText(tr("Recording, %1: end it")
                            .arg(quantity::counted(recorder_.count(), tr("line"), tr("lines"))));
    const Theme& theme = context().look.theme();
    recording_->setIcon(
        symbolIcon(QStringLiteral("actions/record"), theme.semantic.error, theme.text.disabled));
}

void StatusLine::showLiving() {
    const QStringList runs = context().unseenRuns();
    living_->setVisible(!runs.isEmpty());
    living_->setText(runs.size() == 1 ? tr("1 run is live: attach")
                                      : tr("%1 runs are live: attach").arg(runs.size()));
    QStringList titles;
    for (const QString& run : runs) {
        titles << titleOfRun(run);
    }
    living_->setToolTip(titles.join('\n'));
    living_->setIcon(symbolIcon(QStringLiteral("actions/attach"),
                                context().look.theme().text.secondary,
                                context().look.theme().text.disabled));
}

void StatusLine::attach() {
    const QStringList runs = context().unseenRuns();
    if (runs.size() == 1) {
        Q_EMIT context().attachWanted(runs.front());
        return;
    }
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const QString& run : runs) {
        menu->addAction(titleOfRun(run), this, [this, run] { Q_EMIT context().attachWanted(run); });
    }
    menu->popup(living_->mapToGlobal(QPoint(0, -menu->sizeHint().height())));
}

void StatusLine::showSize() {
    const auto known = design()->check().answer();
    const Design& shown = design()->document().design();
    double parameters = 0;
    double work = 0;
    for (const LayerPreview& layer : known->preview->layers) {
        work += static_cast<double>(layer.forward.count + layer.backward.count);
        for (const ParameterPreview& parameter : layer.parameters) {
            parameters += static_cast<double>(elementsOf(parameter.shape));
        }
    }
    QStringList words{
        quantity::counted(countLayers(shown, shown.network), tr("layer"), tr("layers"))};
    if (parameters > 0) {
        words << tr("%1 parameters").arg(quantity::count(parameters));
    }
    if (work > 0) {
        words << tr("%1 per step").arg(quantity::flops(work));
    }
    size_->setText(words.join(QStringLiteral(" · ")));
}

void StatusLine::paintEvent(QPaintEvent*) {
    QPainter(this).fillRect(rect(), context().look.theme().surface.window);
}

} // namespace weft::ui
