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

    [[nodiscard]] const Viewport& viewport() const { return viewport_; } ///< position and zoom
    void setRatio(double ratio) { viewport_.ratio = ratio; } ///< device pixels per logical pixel
    [[nodiscard]] QRectF visibleArea() const;                ///< the visible part of the design

    void lookAt(QPointF origin, double zoom); ///< `origin`: upper left corner
    void centreOn(QPointF scene) { centreOn(scene, viewport_.zoom); } ///< keeps the zoom
    void centreOn(QPointF scene, double zoom);
    void zoomTo(double zoom, QPointF anchor);        ///< `anchor` (logical pixels) keeps its place
    void zoomBy(double factor);                      ///< about the centre
    void pan(QPointF logical);                       ///< scrolls by logical pixels
    void frame(const QRectF& area, double most = 1); ///< shows all of `area`; `most`: largest zoom
    void frameAll();                                 ///< zooms to the whole network
    void frameSelection();                           ///< zooms to the selected layers
    void reveal(LayerId layer); ///< scrolls to it, and zooms in if it is too small to read

    [[nodiscard]] bool isChosenByUser() const { return isChosenByUser_; } ///< not fitted
    void fit(); ///< shows everything, but does not count as a choice of the user
    void setFitPending(bool isWanted) { isFitPending_ = isWanted; } ///< with the next list
    void fitIfPending();  ///< a new display list has arrived
    void swapModeViews(); ///< exchanges the view with that of the other mode (design or run)

    void setBookmark(int number);  ///< remembers network, position and zoom
    void goToBookmark(int number); ///< returns to network, position and zoom

Q_SIGNALS:
    void zoomChanged(double zoom);
    void viewChanged(); ///< position or zoom has changed

private:
    void prepareMove(); ///< closes card and editor; marks the view as chosen by the user

    CanvasView& view_;
    Viewport viewport_;
    bool isChosenByUser_ = false; ///< by panning or zooming
    bool isFitPending_ = false;   ///< fits when the next display list arrives
    struct ModeView {
        QPointF middle; ///< centre of the view, in the design's units
        double zoom = 1;
        bool isChosenByUser = false;
    } otherModeView_; ///< the design's view while a run is shown, and vice versa
    struct Bookmark {
        NetworkPath path;
        QPointF centre;
        double zoom = 1;
    };
    std::map<int, Bookmark> bookmarks_;
};

} // namespace weft::ui
