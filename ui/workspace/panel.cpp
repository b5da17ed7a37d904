// SPDX-License-Identifier: Apache-2.0
#include "workspace/panel.h"

#include <QDockWidget>
#include <QTimer>

namespace weft::ui {

Panel::Panel(WindowContext& context, QWidget* parent) : QWidget(parent), context_(context) {
    connect(&context_.designs, &OpenDesigns::currentChanged, this, &Panel::followCurrentDesign);
    connect(&context_.look, &Look::changed, this, [this] { hear(lookCause); });
    connect(&context_, &WindowContext::machineKnown, this, [this] { hear(machineCause); });
    followCurrentDesign();
}

QDockWidget* Panel::dock() const {
    QWidget* at = parentWidget();
    while (at != nullptr && !at->isWindow() && qobject_cast<QDockWidget*>(at) == nullptr) {
        at = at->parentWidget();
    }
    return qobject_cast<QDockWidget*>(at);
}

void Panel::followCurrentDesign() {
    OpenDesign* next = context_.designs.current();
    if (next == design_) {
        return;
    }
    if (design_ != nullptr) {
        design_->document().disconnect(this);
        design_->selection().disconnect(this);
        design_->check().disconnect(this);
    }
    design_ = next;
    if (design_ != nullptr) {
        connect(&design_->document(), &DesignDocument::changed, this,
                [this] { hear(contentCause); });
        connect(&design_->selection(), &Selection::changed, this, [this] { hear(selectionCause); });
        connect(&design_->selection(), &Selection::pathChanged, this,
                [this] { hear(selectionCause); });
        connect(&design_->check(), &LiveCheck::checked, this, [this] { hear(checkCause); });
    }
    hear(designCause);
}

void Panel::hear(unsigned causes) {
    pendingCauses_ |= causes;
    if (!isVisible() || isRefreshScheduled_) {
        return;
    }
    isRefreshScheduled_ = true;
    QTimer::singleShot(0, this, &Panel::refreshIfVisible);
}

void Panel::refreshIfVisible() {
    isRefreshScheduled_ = false;
    if (pendingCauses_ != 0 && isVisible()) {
        refresh(std::exchange(pendingCauses_, 0U));
    }
}

void Panel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refreshIfVisible();
}

} // namespace weft::ui
