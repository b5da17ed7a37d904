// SPDX-License-Identifier: Apache-2.0
#pragma once
// A field for drawing or dropping a picture, which becomes an input example. Drawn strokes are
// adapted to the size and position of the training pictures. A right click clears it.

#include "tryit/typical_picture.h"

#include <QImage>
#include <QWidget>

namespace weft::ui {

class Look;

class DrawPad : public QWidget {
    Q_OBJECT

public:
    DrawPad(const Look& look, QWidget* parent = nullptr);

    /// Sets the form of the training pictures; keeps the drawing.
    void setTypicalPicture(const TypicalPicture& typical);
    void clear();
    void setImage(const QImage& image);
    [[nodiscard]] bool isEmpty() const { return strokes_.empty() && dropped_.isNull(); }
    [[nodiscard]] QImage example() const; ///< returns the example as the network receives it

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
    void reportChange();
    [[nodiscard]] QRect drawingRect() const;
    [[nodiscard]] QPointF fractionAt(QPointF at) const;

    const Look& look_;
    TypicalPicture typical_;
    Strokes strokes_;
    QImage dropped_; ///< replaces the strokes
};

} // namespace weft::ui
