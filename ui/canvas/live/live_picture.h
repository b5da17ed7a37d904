// SPDX-License-Identifier: Apache-2.0
#pragma once
// Draws what the chosen lens shows above the canvas, such as the measured times of a run. The
// canvas below is cached as a picture, so that a tick repaints only the nodes that changed.

#include "canvas/live/lens.h"

#include <QImage>
#include <QRegion>
#include <QTimer>

class QWidget;

namespace weft::ui {

class LivePicture {
public:
    explicit LivePicture(QWidget& view);

    [[nodiscard]] Lens& lens() const { return *lens_; }
    void setLens(const QString& id);
    [[nodiscard]] const LiveNodes& nodes() const { return nodes_; }
    /// Schedules a repaint of the changed nodes; `list` and `viewport` describe what the view
    /// shows.
    void setNodes(LiveNodes nodes, const DisplayList& list, const Viewport& viewport);
    /// True if there is anything to draw.
    [[nodiscard]] bool hasContent() const {
        return lens_->dimming() != Lens::Dimming::nothing || !nodes_.empty();
    }

    /// Paints the canvas without live data; `exposed` is in device pixels.
    using PaintCanvas = std::function<void(QPainter& painter, const QRect& exposed)>;
    void paint(QPainter& painter, const QRegion& exposed, QSize size, const LiveScene& scene,
               const PaintCanvas& still);
    /// Discards the cached picture of the canvas.
    void discardCache() { isCached_ = false; }
    /// Draws only the live data.
    void drawLiveData(QPainter& painter, const QRect& exposed, const LiveScene& scene);

private:
    [[nodiscard]] std::set<LayerId> emphasisedLayers() const;
    void paintDimmedCanvas(QPainter& painter, const QRect& exposed, const LiveScene& scene,
                           const PaintCanvas& still) const;

    QWidget& view_;
    std::vector<std::unique_ptr<Lens>> lenses_;
    Lens* lens_;
    LiveNodes nodes_;
    QImage cached_;
    int cachedNumber_ = 0;  ///< counts the pictures
    bool isCached_ = false; ///< `cached_` is up to date
    bool wantsCaching_ = false;
    QRegion tickRegion_; ///< region that ticks alone have asked to repaint since the last painting
    QTimer cacheTimer_;
};

} // namespace weft::ui
