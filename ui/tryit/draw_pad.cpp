// SPDX-License-Identifier: GPL-3.0-or-later
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

// Drawn at so many pixels per pixel of the network.
constexpr int fineness = 10;
constexpr double penShare = 0.08;
// A drawn figure fills this share of the picture, as scanned digits do.
constexpr double inkShare = 20.0 / 28.0;
// What the network reads, whatever the theme: ink is one, paper nothing.
constexpr QRgb inkOfPicture = qRgb(255, 255, 255);
constexpr QRgb paperOfPicture = qRgb(0, 0, 0);

/// Where there is ink.
QRect inkOf(const QImage& image) {
    QRect ink;
    for (int y = 0; y < image.height(); ++y) {
        const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
        for (int x = 0; x < image.width(); ++x) {
            if (qGray(line[x]) > 32) {
                ink |= QRect(x, y, 1, 1);
            }
        }
    }
    return ink;
}

} // namespace

DrawPad::DrawPad(const Look& look, QWidget* parent) : QWidget(parent), look_(look) {
    setAcceptDrops(true);
    setMinimumSize(140, 140);
    setCursor(Qt::CrossCursor);
    setAccessibleName(tr("Field to draw in"));
    setForm(1, 28, 28);
    connect(&look_, &Look::changed, this, qOverload<>(&QWidget::update));
}

void DrawPad::setForm(int channels, int rows, int columns) {
    channels_ = channels;
    rows_ = std::max(rows, 1);
    columns_ = std::max(columns, 1);
    clear();
}

void DrawPad::clear() {
    canvas_ = QImage(columns_ * fineness, rows_ * fineness, QImage::Format_RGB32);
    canvas_.fill(paperOfPicture);
    isEmpty_ = true;
    isDrawn_ = true;
    update();
    Q_EMIT changed();
}

void DrawPad::setImage(const QImage& image) {
    if (image.isNull()) {
        return;
    }
    canvas_ = image.scaled(canvas_.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
                  .convertToFormat(QImage::Format_RGB32);
    isEmpty_ = false;
    isDrawn_ = false;
    update();
    Q_EMIT changed();
}

QRect DrawPad::field() const {
    const double scale = std::min(double(width()) / columns_, double(height()) / rows_);
    const QSize size(int(columns_ * scale), int(rows_ * scale));
    return {QPoint((width() - size.width()) / 2, (height() - size.height()) / 2), size};
}

QImage DrawPad::centred() const {
    const QRect ink = inkOf(canvas_);
    if (ink.isEmpty()) {
        return canvas_;
    }
    const int side = std::max(ink.width(), ink.height());
    const double wanted = inkShare * std::min(canvas_.width(), canvas_.height());
    const double scale = wanted / side;
    QImage image(canvas_.size(), QImage::Format_RGB32);
    image.fill(paperOfPicture);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.translate(image.width() / 2.0, image.height() / 2.0);
    painter.scale(scale, scale);
    painter.translate(-QRectF(ink).center());
    painter.drawImage(ink, canvas_, ink);
    return image;
}

QImage DrawPad::example() const {
    const QImage whole = isDrawn_ ? centred() : canvas_;
    return whole.scaled(columns_, rows_, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
        .convertToFormat(channels_ == 1 ? QImage::Format_Grayscale8 : QImage::Format_RGB888);
}

void DrawPad::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), look_.theme().surface.dock);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(field(), canvas_);
    painter.setPen(look_.theme().line.normal);
    painter.drawRect(field().adjusted(0, 0, -1, -1));
    if (isEmpty_) {
        // The field is black in both themes: the picture that the network sees.
        painter.setPen(tokens().dark.text.tertiary);
        painter.drawText(field(), Qt::AlignCenter, tr("Draw, or drop a picture"));
    }
}

void DrawPad::stroke(QPointF from, QPointF to) {
    const QRect box = field();
    const auto inside = [&](QPointF at) {
        return QPointF((at.x() - box.left()) / box.width() * canvas_.width(),
                       (at.y() - box.top()) / box.height() * canvas_.height());
    };
    QPainter painter(&canvas_);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(QColor(inkOfPicture), canvas_.width() * penShare, Qt::SolidLine,
                        Qt::RoundCap, Qt::RoundJoin));
    if (from == to) {
        painter.drawPoint(inside(to));
    } else {
        painter.drawLine(inside(from), inside(to));
    }
    isEmpty_ = false;
    update();
    Q_EMIT changed();
}

void DrawPad::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::RightButton) {
        clear();
        return;
    }
    if (!isDrawn_) {
        clear();
    }
    pointer_ = event->position();
    stroke(pointer_, pointer_);
}

void DrawPad::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons().testFlag(Qt::LeftButton)) {
        stroke(pointer_, event->position());
        pointer_ = event->position();
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
