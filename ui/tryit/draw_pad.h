// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A field to draw a figure in with mouse or pen, or to drop a picture on; what it holds is a grey
// or coloured picture of the size a network takes.

#include <weft/pictures.h>

#include <QImage>
#include <QWidget>

namespace weft::ui {

class Look;

class DrawPad : public QWidget {
    Q_OBJECT

public:
    DrawPad(const Look& look, QWidget* parent = nullptr);

    /// Of one example: channels, rows, columns. Clears it.
    void setForm(int channels, int rows, int columns);
    void clear();
    void setImage(const QImage& image);
    [[nodiscard]] bool isEmpty() const { return isEmpty_; }
    /// Scaled to the network's size; a drawing is centred by its ink as the digits of MNIST are.
    [[nodiscard]] QImage example() const;

    [[nodiscard]] QSize sizeHint() const override { return {280, 280}; }

Q_SIGNALS:
    void changed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void stroke(QPointF from, QPointF to);
    [[nodiscard]] QRect field() const;
    [[nodiscard]] QImage centred() const;

    const Look& look_;
    int channels_ = 1;
    int rows_ = 28;
    int columns_ = 28;
    bool isEmpty_ = true;
    bool isDrawn_ = true; ///< by hand, not dropped
    QImage canvas_;
    QPointF pointer_;
};

} // namespace weft::ui
