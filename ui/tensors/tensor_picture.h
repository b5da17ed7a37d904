// SPDX-License-Identifier: Apache-2.0
#pragma once
// A tensor as a picture without interpolation: the wheel zooms, a drag pans. Beside it the
// histogram of its numbers.

#include <weft/pictures.h>

#include <QImage>
#include <QPointF>
#include <QWidget>

namespace weft::ui {

class Look;

class TensorPicture : public QWidget {
    Q_OBJECT

public:
    explicit TensorPicture(const Look& look, QWidget* parent = nullptr);
    void setImage(QImage image);
    [[nodiscard]] const QImage& image() const { return image_; }
    void fitToWidget();
    [[nodiscard]] double scale() const { return scale_; } ///< widget pixels per image pixel

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    const Look& look_;
    QImage image_;
    double scale_ = 1;
    QPointF origin_;       ///< top left of the image in the widget
    bool isFitted_ = true; ///< scaled to the widget's size
    QPointF pointer_;      ///< last position of a drag
};

class HistogramPlot : public QWidget {
    Q_OBJECT

public:
    explicit HistogramPlot(const Look& look, QWidget* parent = nullptr);
    void show(Histogram histogram);
    using QWidget::show;
    [[nodiscard]] const Histogram& histogram() const { return histogram_; }
    [[nodiscard]] QSize sizeHint() const override { return {320, 160}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Look& look_;
    Histogram histogram_;
};

} // namespace weft::ui
