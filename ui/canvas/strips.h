// SPDX-License-Identifier: Apache-2.0
#pragma once
// Flat boxes with buttons that float over the canvas: what the brush holds, whose view a lens
// shows, what differs between two runs and is no layer.

#include "canvas/canvas_view.h"

class QLabel;

namespace weft::ui {

class Bench;
class LiveFeed;

class Strip : public QWidget {
    Q_OBJECT

public:
    Strip(Look& look, QWidget* parent);

protected:
    void paintEvent(QPaintEvent* event) override;
    [[nodiscard]] Look& look() const { return look_; }

private:
    Look& look_;
};

/// The assignments that the brush can give; seen while there is a brush.
class BrushStrip : public Strip {
    Q_OBJECT

public:
    BrushStrip(CanvasView& view, Look& look, QWidget* parent);
    [[nodiscard]] static Brush brushOf(AxisWord word);

private:
    void build();

    CanvasView& view_;
};

/// Which device's view is shown, with steps to the others; seen while one's is.
class RankStrip : public Strip {
    Q_OBJECT

public:
    RankStrip(CanvasView& view, LiveCheck& check, Look& look, QWidget* parent);

private:
    void tell();

    CanvasView& view_;
    LiveCheck& check_;
    QLabel* text_;
};

/// Settings, data and insides of groups that differ from those of the run that is compared with;
/// seen while the lens Difference is.
class DifferenceStrip : public Strip {
    Q_OBJECT

public:
    DifferenceStrip(Bench& bench, const LiveFeed& feed, CanvasView& view, QWidget* parent);

Q_SIGNALS:
    /// It has another size, or is seen no more.
    void resized();

private:
    void tell();

    const LiveFeed& feed_;
    CanvasView& view_;
    QLabel* text_;
};

} // namespace weft::ui
