// SPDX-License-Identifier: Apache-2.0
#include "timeline/time_plot.h"

#include "theme/look.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

namespace weft::ui {

namespace {

constexpr double zoomPerClick = 1.0 / 1.25;

} // namespace

TimePlot::TimePlot(const Look& look, int leftMargin, QWidget* parent)
    : QWidget(parent), look_(look), leftMargin_(leftMargin) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    connect(&look_, &Look::changed, this, &TimePlot::redraw);
}

int TimePlot::plotWidth() const {
    return std::max(1, width() - leftMargin_ - Look::sizes().space.m);
}

void TimePlot::setView(std::int64_t begin, double perPixel, bool isFitted) {
    view() = limitedView({begin, perPixel, plotWidth()});
    isFitted_ = isFitted;
    redraw();
    if (!isFitted) {
        Q_EMIT viewChosen();
    }
}

void TimePlot::zoom(double pixel, double factor) {
    const TimeView& now = view();
    const double perPixel = limitedView({now.begin, now.perPixel * factor, now.width}).perPixel;
    const double under = static_cast<double>(now.begin) + pixel * now.perPixel;
    setView(static_cast<std::int64_t>(std::floor(under - pixel * perPixel)), perPixel, false);
}

void TimePlot::move(double pixels) { setView(view().toTime(pixels), view().perPixel, false); }

void TimePlot::redraw() {
    cachedPicture_.invalidate();
    update();
}

void TimePlot::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    cachedPicture_.paint(painter, *this, [this](QImage& image) { drawPicture(image); });
    painter.setBrush(Qt::NoBrush);
    drawPointerOverlay(painter);
    if (hasFocus()) {
        painter.setPen(look_.theme().accent.focus);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void TimePlot::resizeEvent(QResizeEvent*) {
    if (isFitted_) {
        fit();
    } else {
        view() = limitedView({view().begin, view().perPixel, plotWidth()});
        redraw();
    }
}

void TimePlot::wheelEvent(QWheelEvent* event) {
    const QPoint turned = event->angleDelta();
    if (event->modifiers().testFlag(Qt::ShiftModifier) || turned.y() == 0) {
        move(-(turned.x() != 0 ? turned.x() : turned.y()));
    } else {
        zoom(event->position().x() - leftMargin_, std::pow(zoomPerClick, turned.y() / 120.0));
    }
    event->accept();
}

void TimePlot::mousePressEvent(QMouseEvent* event) {
    pointer_ = event->position().toPoint();
    if (event->button() == Qt::MiddleButton ||
        (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ShiftModifier))) {
        isPanning_ = true;
    } else if (event->button() == Qt::LeftButton) {
        pressPosition_ = pointer_;
    }
}

void TimePlot::mouseMoveEvent(QMouseEvent* event) {
    const QPoint from = std::exchange(pointer_, event->position().toPoint());
    if (isPanning_) {
        move(from.x() - pointer_.x());
    } else {
        pointerMoved(pointer_);
    }
}

void TimePlot::mouseReleaseEvent(QMouseEvent* event) {
    const QPoint at = event->position().toPoint();
    if (pressPosition_ && (at - *pressPosition_).manhattanLength() < shortestDrag) {
        Q_EMIT clicked(layerAt(at));
    }
    pressPosition_.reset();
    isPanning_ = false;
    update();
}

void TimePlot::mouseDoubleClickEvent(QMouseEvent*) { fit(); }

void TimePlot::keyPressEvent(QKeyEvent* event) {
    const double middle = view().width / 2.0;
    const double part = view().width / 8.0;
    switch (event->key()) {
    case Qt::Key_W:
    case Qt::Key_Plus: zoom(middle, zoomPerClick); break;
    case Qt::Key_S:
    case Qt::Key_Minus: zoom(middle, 1 / zoomPerClick); break;
    case Qt::Key_A:
    case Qt::Key_Left: move(-part); break;
    case Qt::Key_D:
    case Qt::Key_Right: move(part); break;
    case Qt::Key_F: fit(); break;
    default: QWidget::keyPressEvent(event);
    }
}

bool TimePlot::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) {
        return QWidget::event(event);
    }
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString tip = toolTipAt(help->pos());
    if (tip.isEmpty()) {
        QToolTip::hideText();
    } else {
        QToolTip::showText(help->globalPos(), tip, this);
    }
    return true;
}

} // namespace weft::ui
