// SPDX-License-Identifier: Apache-2.0
#include "panels/problems/problems_panel.h"

#include "theme/quantity.h"
#include "theme/symbols.h"
#include "widgets/empty_state.h"
#include "widgets/padded_delegate.h"
#include "workspace/absent_devices.h"
#include "workspace/mend.h"
#include "workspace/pick_data.h"

#include <QAction>
#include <QDockWidget>
#include <QHeaderView>
#include <QKeyEvent>
#include <QStackedLayout>
#include <QTreeWidget>

namespace weft::ui {

namespace {

enum Column : int { layerColumn, textColumn, fixColumn };

} // namespace

ProblemsPanel::ProblemsPanel(WindowContext& context, QWidget* parent)
    : Panel(context, parent),
      layout_(new QStackedLayout(this)),
      list_(new QTreeWidget(this)),
      empty_(new EmptyState(context.look, QStringLiteral("states/good"), tr("No problems"), {},
                            nullptr, this)) {
    list_->setColumnCount(3);
    list_->setHeaderHidden(true);
    list_->setRootIsDecorated(false);
    list_->setUniformRowHeights(true);
    list_->setItemDelegate(new PaddedDelegate(list_));
    list_->setTextElideMode(Qt::ElideRight);
    list_->setAccessibleName(tr("Problems"));
    list_->header()->setStretchLastSection(false);
    list_->header()->setSectionResizeMode(layerColumn, QHeaderView::ResizeToContents);
    list_->header()->setSectionResizeMode(textColumn, QHeaderView::Stretch);
    list_->header()->setSectionResizeMode(fixColumn, QHeaderView::ResizeToContents);
    layout_->addWidget(empty_);
    layout_->addWidget(list_);
    setFocusProxy(list_);
    connect(list_, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item, int column) {
        const int row = list_->indexOfTopLevelItem(item);
        if (column == fixColumn) {
            applyFix(row);
        } else {
            goTo(row);
        }
    });
    connect(list_, &QTreeWidget::itemActivated, this,
            [this](QTreeWidgetItem* item) { goTo(list_->indexOfTopLevelItem(item)); });
    list_->installEventFilter(this);
}

void ProblemsPanel::refresh(unsigned causes) {
    if ((causes & (designCause | checkCause | lookCause | machineCause)) != 0) {
        fillList();
    }
}

void ProblemsPanel::fillList() {
    problems_.clear();
    if (design() != nullptr) {
        problems_ = problemsOf(*design());
        const QString absent = absentText(absentDevices(context(), *design()));
        const QString checked =
            tr("Checked in %1.")
                .arg(quantity::time(design()->check().answer()->milliseconds / 1e3));
        empty_->setTexts(absent.isEmpty() ? tr("No problems")
                                          : tr("No problems, but it cannot run here"),
                         absent.isEmpty() ? checked : tr("%1. %2").arg(absent, checked));
    }
    layout_->setCurrentIndex(problems_.empty() ? 0 : 1);
    if (QDockWidget* dock = this->dock()) {
        dock->setWindowTitle(problems_.empty() ? tr("Problems")
                                               : tr("Problems %1").arg(problems_.size()));
    }
    const int before = list_->indexOfTopLevelItem(list_->currentItem());
    list_->clear();
    const Theme& theme = context().look.theme();
    const auto text = [](const std::string& value) { return QString::fromStdString(value); };
    for (const Diagnostic& problem : problems_) {
        const bool isError = problem.severity == Severity::error;
        const bool isWarning = problem.severity == Severity::warning;
        const QString mark = isError     ? QStringLiteral("states/error")
                             : isWarning ? QStringLiteral("states/warning")
                                         : QStringLiteral("states/hint");
        const QColor tint = isError     ? theme.semantic.error
                            : isWarning ? theme.semantic.warning
                                        : theme.semantic.info;
        QString layer = text(problem.layerName);
        if (layer.isEmpty()) {
            layer = tr("Design");
        }
        auto* item =
            new QTreeWidgetItem(list_, {layer, text(problem.text), text(problem.fix.text)});
        item->setIcon(layerColumn, symbolIcon(mark, tint, tint));
        item->setFont(layerColumn,
                      Look::sans(tokens().sizes.type.body, tokens().sizes.type.semibold));
        item->setToolTip(textColumn, text(problem.code + ": " + problem.text));
        item->setForeground(textColumn, theme.text.secondary);
        if (canMend(problem)) {
            QFont line = Look::sans(tokens().sizes.type.body);
            line.setUnderline(true);
            item->setFont(fixColumn, line);
        } else {
            item->setForeground(fixColumn, theme.text.tertiary);
        }
        item->setData(layerColumn, Qt::AccessibleTextRole,
                      (isError     ? tr("error")
                       : isWarning ? tr("warning")
                                   : tr("hint")) +
                          ", " + layer);
    }
    if (before >= 0 && before < list_->topLevelItemCount()) {
        list_->setCurrentItem(list_->topLevelItem(before));
    }
}

void ProblemsPanel::goTo(int row) {
    if (design() == nullptr || row < 0 || row >= count()) {
        return;
    }
    showProblem(problems_[static_cast<std::size_t>(row)]);
}

void ProblemsPanel::showProblem(const Diagnostic& problem) {
    design()->selection().enter({problem.group});
    if (!problem.layer.isNone()) {
        emit context().revealWanted(problem.layer);
        return;
    }
    // Problems of a settings section lead to its panel.
    if (QAction* dock =
            context().commands.find("dock." + QString::fromStdString(problem.layerName))) {
        dock->trigger();
    }
}

bool ProblemsPanel::applyFix(int row) {
    if (design() == nullptr || row < 0 || row >= count()) {
        return false;
    }
    const Diagnostic problem = problems_[static_cast<std::size_t>(row)];
    goTo(row);
    return mendOrAsk(context(), *design(), problem, *this);
}

bool ProblemsPanel::eventFilter(QObject* watched, QEvent* event) {
    const bool isKey =
        event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
    const QAction* fix = context().commands.find(QStringLiteral("problem.fix"));
    if (watched != list_ || !isKey || fix == nullptr || list_->currentItem() == nullptr ||
        !fix->shortcuts().contains(
            QKeySequence(static_cast<QKeyEvent*>(event)->keyCombination()))) {
        return Panel::eventFilter(watched, event);
    }
    // The key fixes the current row's problem, rather than the first problem of the selection.
    if (event->type() == QEvent::KeyPress) {
        applyFix(list_->indexOfTopLevelItem(list_->currentItem()));
    }
    event->accept();
    return true;
}

} // namespace weft::ui
