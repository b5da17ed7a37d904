// SPDX-License-Identifier: Apache-2.0
#include "shell/docks/dock_page.h"

#include "theme/look.h"

#include <QEvent>
#include <QLayout>
#include <QStyle>

namespace weft::ui {

namespace {

/// Returns the least size of the panel at this width.
QSize leastOf(const QWidget& panel, int width) {
    QSize least = panel.minimumSizeHint().expandedTo(panel.minimumSize());
    const QLayout* layout = panel.layout();
    if (layout != nullptr && layout->hasHeightForWidth()) {
        // The size hint assumes the least width; text wraps later in a wider panel.
        least.setHeight(layout->minimumHeightForWidth(std::max(width, least.width())));
    }
    return least;
}

} // namespace

DockPage::DockPage(QWidget* parent) : QScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
}

void DockPage::setPanel(QWidget* panel) {
    // Not resizable: QScrollArea would give a panel with wrapped text its preferred height instead
    // of the needed height, and lists would scroll twice.
    setWidget(panel);
    panel->show();
    fit();
}

QSize DockPage::sizeHint() const {
    return widget() == nullptr ? minimumSizeHint() : widget()->sizeHint();
}

QSize DockPage::minimumSizeHint() const {
    const int least = tokens().sizes.size.topBar; // height or width of a minimised panel
    return {least, least};
}

bool DockPage::eventFilter(QObject* watched, QEvent* event) {
    const bool isPassed = QScrollArea::eventFilter(watched, event);
    if (watched == widget() && event->type() == QEvent::LayoutRequest) {
        fit();
    }
    return isPassed;
}

void DockPage::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    fit();
}

void DockPage::fit() {
    if (QWidget* panel = widget()) {
        // The size without scroll bars; whether they are needed is computed below.
        const QSize room = maximumViewportSize();
        const int bar = style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, this);
        QSize least = leastOf(*panel, room.width());
        const bool isTall = least.height() > room.height();
        const bool isWide = least.width() > room.width() - (isTall ? bar : 0);
        const QSize left = room - QSize(isTall ? bar : 0, isWide ? bar : 0);
        least = leastOf(*panel, left.width());
        panel->resize(left.expandedTo(least));
    }
}

} // namespace weft::ui
