// SPDX-License-Identifier: Apache-2.0
#include "workspace/panel.h"

#include <QDockWidget>
#include <QTimer>

namespace weft::ui {

Panel::Panel(Bench& bench, QWidget* parent) : QWidget(parent), bench_(bench) {
    connect(&bench_.designs, &OpenDesigns::currentChanged, this, &Panel::follow);
    connect(&bench_.look, &Look::changed, this, [this] { hear(lookCause); });
    connect(&bench_, &Bench::machineKnown, this, [this] { hear(machineCause); });
    follow();
}

QDockWidget* Panel::dock() const {
    QWidget* at = parentWidget();
    while (at != nullptr && !at->isWindow() && qobject_cast<QDockWidget*>(at) == nullptr) {
        at = at->parentWidget();
    }
    return qobject_cast<QDockWidget*>(at);
}

void Panel::follow() {
    OpenDesign* next = bench_.designs.current();
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
    heard_ |= causes;
    if (!isVisible() || isTelling_) {
        return;
    }
    isTelling_ = true;
    QTimer::singleShot(0, this, &Panel::tell);
}

void Panel::tell() {
    isTelling_ = false;
    if (heard_ != 0 && isVisible()) {
        refresh(std::exchange(heard_, 0U));
    }
}

void Panel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    tell();
}

} // namespace weft::ui
