// SPDX-License-Identifier: Apache-2.0
#pragma once
// Overlay strips above the canvas: the brush's assignment, the device whose view is shown, and what
// the lens says.

#include "canvas/view/canvas_view.h"

class QLabel;

namespace weft::ui {

class WindowContext;

class OverlayStrip : public QWidget {
    Q_OBJECT

public:
    OverlayStrip(Look& look, QWidget* parent);

protected:
    void paintEvent(QPaintEvent* event) override;
    [[nodiscard]] Look& look() const { return look_; }

private:
    Look& look_;
};

/// The assignments that the brush can give; visible while the brush is active.
class BrushStrip : public OverlayStrip {
    Q_OBJECT

public:
    BrushStrip(CanvasView& view, Look& look, QWidget* parent);
    [[nodiscard]] static Brush brushOf(AxisWord word); ///< brush that gives this assignment

private:
    void buildButtons(); ///< one button per assignment

    CanvasView& view_;
};

/// Selects the device whose view is shown; visible while one device's view is shown.
class RankStrip : public OverlayStrip {
    Q_OBJECT

public:
    RankStrip(CanvasView& view, LiveCheck& check, Look& look, QWidget* parent);

private:
    void showText();

    CanvasView& view_;
    LiveCheck& check_;
    QLabel* text_;
};

/// What the lens says in words, such as changed settings; visible if it says anything.
class LensStrip : public OverlayStrip {
    Q_OBJECT

public:
    LensStrip(WindowContext& context, CanvasView& view, QWidget* parent);

Q_SIGNALS:
    void resized(); ///< its size or visibility has changed

private:
    void showText();

    CanvasView& view_;
    QLabel* text_;
};

} // namespace weft::ui
