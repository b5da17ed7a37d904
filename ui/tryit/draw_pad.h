// SPDX-License-Identifier: Apache-2.0
#pragma once
// A field for drawing or dropping a picture, which becomes an input example. Drawn strokes are
// adapted to the size and position of the training pictures. A right click clears it.

#include "tryit/picture_habit.h"

#include <QImage>
#include <QWidget>

namespace weft::ui {

class Look;

class DrawPad : public QWidget {
    Q_OBJECT

public:
    DrawPad(const Look& look, QWidget* parent = nullptr);

    /// Sets the form of the training pictures; keeps the drawing.
    void setHabit(const PictureHabit& habit);
    void clear();
    void setImage(const QImage& image);
    [[nodiscard]] bool isEmpty() const { return strokes_.empty() && dropped_.isNull(); }
    /// Returns the example as the network receives it.
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
    void tell();
    [[nodiscard]] QRect field() const;
    [[nodiscard]] QPointF shareOf(QPointF at) const;

    const Look& look_;
    PictureHabit habit_;
    Strokes strokes_;
    QImage dropped_; ///< replaces the strokes
};

} // namespace weft::ui
