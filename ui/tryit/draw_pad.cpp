// SPDX-License-Identifier: Apache-2.0
#include "tryit/draw_pad.h"

#include "theme/look.h"

#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>
#include <QUrl>
#include <algorithm>

namespace weft::ui {

namespace {

// Values of the network's input, independent of the theme: ink is 1, paper 0.
constexpr QRgb inkOfPicture = qRgb(255, 255, 255);
constexpr QRgb paperOfPicture = qRgb(0, 0, 0);

} // namespace

DrawPad::DrawPad(const Look& look, QWidget* parent) : QWidget(parent), look_(look) {
    setAcceptDrops(true);
    setMinimumSize(140, 140);
    setCursor(Qt::CrossCursor);
    setAccessibleName(tr("Field to draw in"));
    connect(&look_, &Look::changed, this, qOverload<>(&QWidget::update));
}

void DrawPad::setTypicalPicture(const TypicalPicture& typical) {
    typical_ = typical;
    reportChange();
}

void DrawPad::reportChange() {
    update();
    Q_EMIT changed();
}

void DrawPad::clear() {
    strokes_.clear();
    dropped_ = QImage();
    reportChange();
}

void DrawPad::setImage(const QImage& image) {
    if (image.isNull()) {
        return;
    }
    strokes_.clear();
    dropped_ = image.convertToFormat(QImage::Format_RGB32);
    reportChange();
}

QRect DrawPad::drawingRect() const {
    const double scale =
        std::min(double(width()) / typical_.columns, double(height()) / typical_.rows);
    const QSize size(int(typical_.columns * scale), int(typical_.rows * scale));
    return {QPoint((width() - size.width()) / 2, (height() - size.height()) / 2), size};
}

QPointF DrawPad::fractionAt(QPointF at) const {
    const QRect box = drawingRect();
    return {(at.x() - box.left()) / box.width(), (at.y() - box.top()) / box.height()};
}

QImage DrawPad::example() const {
    if (dropped_.isNull()) {
        return drawAs(typical_, strokes_);
    }
    return dropped_
        .scaled(typical_.columns, typical_.rows, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
        .convertToFormat(typical_.channels == 1 ? QImage::Format_Grayscale8
                                                : QImage::Format_RGB888);
}

void DrawPad::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QRect box = drawingRect();
    painter.fillRect(rect(), look_.theme().surface.dock);
    painter.fillRect(box, QColor(paperOfPicture));
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.setRenderHint(QPainter::Antialiasing);
    if (!dropped_.isNull()) {
        painter.drawImage(box, dropped_);
    }
    painter.save();
    painter.setClipRect(box);
    painter.setPen(QPen(QColor(inkOfPicture), typical_.pen * box.width() / typical_.columns,
                        Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const QTransform toField = QTransform::fromScale(box.width(), box.height()) *
                               QTransform::fromTranslate(box.left(), box.top());
    for (const QPolygonF& stroke : strokes_) {
        const QPolygonF line = toField.map(stroke);
        if (line.size() == 1) {
            painter.drawPoint(line.front());
        } else {
            painter.drawPolyline(line);
        }
    }
    painter.restore();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(look_.theme().line.normal);
    painter.drawRect(box.adjusted(0, 0, -1, -1));
    if (isEmpty()) {
        // The field is black in both themes, as in the network's input.
        painter.setPen(tokens().dark.text.tertiary);
        painter.drawText(box, Qt::AlignCenter, tr("Draw, or drop a picture"));
    }
}

void DrawPad::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::RightButton) {
        clear();
        return;
    }
    dropped_ = QImage();
    strokes_.emplace_back();
    strokes_.back() << fractionAt(event->position());
    reportChange();
}

void DrawPad::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons().testFlag(Qt::LeftButton) && !strokes_.empty()) {
        strokes_.back() << fractionAt(event->position());
        reportChange();
    }
}

void DrawPad::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasImage() || event->mimeData()->hasUrls()) {
        event->acceptProposedAction();
    }
}

void DrawPad::dropEvent(QDropEvent* event) {
    if (event->mimeData()->hasImage()) {
        setImage(qvariant_cast<QImage>(event->mimeData()->imageData()));
    } else if (event->mimeData()->hasUrls()) {
        setImage(QImage(event->mimeData()->urls().front().toLocalFile()));
    }
    event->acceptProposedAction();
}

} // namespace weft::ui
