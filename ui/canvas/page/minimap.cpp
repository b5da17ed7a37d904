// SPDX-License-Identifier: Apache-2.0
#include "canvas/page/minimap.h"

#include <QMouseEvent>
#include <QPainter>

namespace weft::ui {

Minimap::Minimap(CanvasView& view, Look& look, QWidget* parent)
    : QWidget(parent), view_(view), look_(look) {
    const Sizes::Size& size = tokens().sizes.size;
    setFixedSize(size.minimapWidth, size.minimapHeight);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Overview"));
    setToolTip(tr("Overview: drag to move the view"));
    connect(&view_.camera(), &Camera::viewChanged, this, qOverload<>(&QWidget::update));
    const auto forget = [this] {
        picture_ = {};
        update();
    };
    connect(&look_, &Look::changed, this, forget);
    repaintTimer_.setSingleShot(true);
    repaintTimer_.setInterval(tokens().sizes.duration.liveBeat);
    connect(&repaintTimer_, &QTimer::timeout, this, forget);
    connect(&view_, &CanvasView::rebuilt, this, [this] {
        if (!repaintTimer_.isActive()) {
            repaintTimer_.start();
        }
    });
}

Viewport Minimap::overviewViewport() const {
    constexpr double margin = 6;
    const QRectF all = view_.list().bounds();
    Viewport at;
    at.ratio = devicePixelRatioF();
    if (all.isEmpty()) {
        return at;
    }
    at.zoom =
        std::min((width() - 2 * margin) / all.width(), (height() - 2 * margin) / all.height());
    at.zoom = std::min(at.zoom, tokens().sizes.zoom.blocks * 0.99);
    at.origin = all.center() - QPointF(width(), height()) / (2 * at.zoom);
    return at;
}

void Minimap::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Viewport at = overviewViewport();
    const Theme& theme = look_.theme();
    const QSize pixels = (QSizeF(size()) * at.ratio).toSize();
    if (picture_.size() != pixels) {
        picture_ = QPixmap(pixels);
        QPainter into(&picture_);
        painter_.paint(into, view_.list(), at, {}, theme, picture_.rect());
    }
    painter.drawPixmap(rect(), picture_);
    const QRectF shown(view_.viewport().origin,
                       QSizeF(view_.width(), view_.height()) / view_.viewport().zoom);
    const QRectF lens(at.toLogical(shown.topLeft()), at.toLogical(shown.bottomRight()));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(theme.accent.ink);
    painter.drawRect(lens.toRect().intersected(rect().adjusted(2, 2, -3, -3)));
    painter.setPen(theme.line.strong);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void Minimap::moveViewTo(QMouseEvent* event) {
    if ((event->buttons() & Qt::LeftButton) != 0) {
        view_.camera().centreOn(overviewViewport().toScene(event->position()));
    }
}

} // namespace weft::ui
