// SPDX-License-Identifier: Apache-2.0
#pragma once
// What part of the network a canvas shows, and how large: moves, zooms and bookmarks.

#include "canvas/paint/canvas_painter.h"
#include <weft/edits.h>

#include <QObject>
#include <map>

namespace weft::ui {

class CanvasView;

class Camera : public QObject {
    Q_OBJECT

public:
    explicit Camera(CanvasView& view) : view_(view) {}

    [[nodiscard]] const Viewport& viewport() const { return viewport_; }
    void setRatio(double ratio) { viewport_.ratio = ratio; }
    /// The visible part of the design.
    [[nodiscard]] QRectF visibleArea() const;

    void lookAt(QPointF origin, double zoom);
    void centreOn(QPointF scene) { centreOn(scene, viewport_.zoom); }
    void centreOn(QPointF scene, double zoom);
    void zoomTo(double zoom, QPointF anchor); ///< `anchor` (logical pixels) keeps its place
    void zoomBy(double factor);               ///< about the centre
    void pan(QPointF logical);
    void frame(const QRectF& area, double most = 1);
    void frameAll();
    void frameSelection();
    /// Scrolls to a layer; changes the zoom only if the layer is too small to read.
    void reveal(LayerId layer);

    /// True if the user has chosen position and zoom.
    [[nodiscard]] bool isChosenByUser() const { return isChosenByUser_; }
    /// Shows everything, but does not count as a choice of the user.
    void fit();
    /// Fits when the next display list arrives.
    void setFitPending(bool isWanted) { isFitPending_ = isWanted; }
    void fitIfPending();
    /// Exchanges position and zoom with those of the other mode (design or run).
    void swapModeViews();

    void setBookmark(int number);
    void goToBookmark(int number);

Q_SIGNALS:
    void zoomChanged(double zoom);
    /// Position or zoom has changed.
    void viewChanged();

private:
    void prepareMove();

    CanvasView& view_;
    Viewport viewport_;
    bool isChosenByUser_ = false;
    bool isFitPending_ = false;
    struct ModeView {
        QPointF middle;
        double zoom = 1;
        bool isChosenByUser = false;
    } otherModeView_;
    struct Bookmark {
        NetworkPath path;
        QPointF centre;
        double zoom = 1;
    };
    std::map<int, Bookmark> bookmarks_;
};

} // namespace weft::ui
