// SPDX-License-Identifier: Apache-2.0
#pragma once
// A field to draw in, or to drop a picture on: what comes of it is one example of a network, drawn
// lines brought to how its pictures are. A right click clears it.

#include "tryit/picture_habit.h"

#include <QImage>
#include <QWidget>

namespace weft::ui {

class Look;

class DrawPad : public QWidget {
    Q_OBJECT

public:
    DrawPad(const Look& look, QWidget* parent = nullptr);

    /// How the network's pictures are; what was drawn before stays.
    void setHabit(const PictureHabit& habit);
    void clear();
    void setImage(const QImage& image);
    [[nodiscard]] bool isEmpty() const { return strokes_.empty() && dropped_.isNull(); }
    /// As the network sees it.
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
    QImage dropped_; ///< in place of strokes
};

} // namespace weft::ui
