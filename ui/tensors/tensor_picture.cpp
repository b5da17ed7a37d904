// SPDX-License-Identifier: Apache-2.0
#include "tensors/tensor_picture.h"

#include "theme/look.h"
#include "theme/quantity.h"
#include "widgets/axis.h"

#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace weft::ui {

namespace {

constexpr double zoomPerClick = 1.25;
constexpr double mostScale = 64;
constexpr double fittedScale = 24;
constexpr int footHeight = 20;

} // namespace

TensorPicture::TensorPicture(const Look& look, QWidget* parent) : QWidget(parent), look_(look) {
    setMinimumSize(160, 120);
    setAccessibleName(tr("Picture of the tensor"));
    connect(&look_, &Look::changed, this, qOverload<>(&QWidget::update));
}

void TensorPicture::setImage(QImage image) {
    const bool isSameSize = image.size() == image_.size();
    image_ = std::move(image);
    if (!isSameSize || isFitted_) {
        fitToWidget();
    }
    update();
}

void TensorPicture::fitToWidget() {
    isFitted_ = true;
    if (image_.isNull()) {
        return;
    }
    const double room = Look::sizes().space.l;
    scale_ = std::min({(width() - 2 * room) / image_.width(),
                       (height() - 2 * room) / image_.height(), fittedScale});
    // Integer scales keep all pixels the same size.
    scale_ = scale_ >= 1 ? std::floor(scale_) : std::max(scale_, 0.02);
    origin_ =
        QPointF((width() - image_.width() * scale_) / 2, (height() - image_.height() * scale_) / 2);
    update();
}

void TensorPicture::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), look_.theme().surface.dock);
    if (image_.isNull()) {
        return;
    }
    painter.setRenderHint(QPainter::SmoothPixmapTransform, scale_ < 1);
    painter.drawImage(QRectF(origin_, QSizeF(image_.size()) * scale_), image_);
}

void TensorPicture::resizeEvent(QResizeEvent*) {
    if (isFitted_) {
        fitToWidget();
    }
}

void TensorPicture::wheelEvent(QWheelEvent* event) {
    const double wanted = scale_ * std::pow(zoomPerClick, event->angleDelta().y() / 120.0);
    const double scale = std::clamp(wanted, 0.02, mostScale);
    origin_ = event->position() - (event->position() - origin_) * (scale / scale_);
    scale_ = scale;
    isFitted_ = false;
    update();
}

void TensorPicture::mousePressEvent(QMouseEvent* event) { pointer_ = event->position(); }

void TensorPicture::mouseMoveEvent(QMouseEvent* event) {
    origin_ += event->position() - pointer_;
    pointer_ = event->position();
    isFitted_ = false;
    update();
}

void TensorPicture::mouseDoubleClickEvent(QMouseEvent*) { fitToWidget(); }

HistogramPlot::HistogramPlot(const Look& look, QWidget* parent) : QWidget(parent), look_(look) {
    setMinimumHeight(100);
    connect(&look_, &Look::changed, this, qOverload<>(&QWidget::update));
}

void HistogramPlot::show(Histogram histogram) {
    histogram_ = std::move(histogram);
    setAccessibleName(tr("Histogram from %1 to %2, %3 not finite")
                          .arg(histogram_.least)
                          .arg(histogram_.most)
                          .arg(histogram_.notFinite));
    update();
}

void HistogramPlot::paintEvent(QPaintEvent*) {
    const Theme& theme = look_.theme();
    const Sizes& sizes = Look::sizes();
    QPainter painter(this);
    painter.fillRect(rect(), theme.surface.dock);
    if (histogram_.counts.empty()) {
        return;
    }
    const QRect area = rect().adjusted(sizes.space.m, sizes.space.l, -sizes.space.m, -footHeight);
    const std::int64_t most =
        std::max<std::int64_t>(1, *std::ranges::max_element(histogram_.counts));
    const auto parts = static_cast<int>(histogram_.counts.size());
    for (int i = 0; i < parts; ++i) {
        const int left = area.left() + area.width() * i / parts;
        const int right = area.left() + area.width() * (i + 1) / parts - 1;
        const std::int64_t count = histogram_.counts[static_cast<std::size_t>(i)];
        const int high = static_cast<int>(
            std::ceil(static_cast<double>(count) / static_cast<double>(most) * area.height()));
        painter.fillRect(left, area.bottom() + 1 - high, std::max(right - left, 1), high,
                         theme.text.secondary);
    }
    painter.fillRect(area.left(), area.bottom() + 1, area.width(), 1, theme.line.normal);
    painter.setFont(Look::mono(sizes.type.small));
    painter.setPen(theme.text.tertiary);
    const Axis axis({histogram_.least, histogram_.most}, area.width());
    for (const Tick& tick : ticksOf(axis.range(), false, 5)) {
        const int x = area.left() + qRound(axis.toPixel(tick.value));
        painter.drawText(QRect(x - 40, area.bottom() + 3, 80, footHeight - 3), Qt::AlignHCenter,
                         tick.text);
    }
    painter.drawText(QRect(area.left(), 0, area.width(), sizes.space.l), Qt::AlignLeft,
                     quantity::count(static_cast<double>(most)));
    if (histogram_.notFinite > 0) {
        painter.setPen(theme.semantic.error);
        painter.drawText(QRect(area.left(), 0, area.width(), sizes.space.l), Qt::AlignRight,
                         tr("%1 not finite").arg(histogram_.notFinite));
    }
}

} // namespace weft::ui
