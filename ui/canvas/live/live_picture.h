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

    [[nodiscard]] Lens& lens() const { return *lens_; } ///< the chosen one
    void setLens(const QString& id);                    ///< one of LensInfo::id
    [[nodiscard]] const LiveNodes& nodes() const { return nodes_; }
    /// Schedules a repaint of the changed nodes; `list` and `viewport` describe what the view
    /// shows.
    void setNodes(LiveNodes nodes, const DisplayList& list, const Viewport& viewport);
    /// True if there is anything to draw.
    [[nodiscard]] bool hasContent() const { ///< false: the plain canvas is shown
        return lens_->dimming() != Lens::Dimming::nothing || !nodes_.empty();
    }

    /// Paints the canvas without live data; `exposed` is in device pixels.
    using PaintCanvas = std::function<void(QPainter& painter, const QRect& exposed)>;
    void paint(QPainter& painter, const QRegion& exposed, QSize size, const LiveScene& scene,
               const PaintCanvas& still);
    void discardCache() { isCached_ = false; } ///< discards the cached picture of the canvas
    /// Draws only the live data.
    void drawLiveData(QPainter& painter, const QRect& exposed, const LiveScene& scene);

private:
    [[nodiscard]] std::set<LayerId> emphasisedLayers() const; ///< layers that are not dimmed
    void paintDimmedCanvas(QPainter& painter, const QRect& exposed, const LiveScene& scene,
                           const PaintCanvas& still) const;

    QWidget& view_;
    std::vector<std::unique_ptr<Lens>> lenses_; ///< all, by their list
    Lens* lens_;                                ///< the chosen one
    LiveNodes nodes_;                           ///< live data of each layer
    QImage cached_;                             ///< the dimmed canvas without live data
    int cachedNumber_ = 0;                      ///< increases with each new picture
    bool isCached_ = false;                     ///< `cached_` is up to date
    bool wantsCaching_ = false;                 ///< the next painting fills `cached_`
    QRegion tickRegion_; ///< to repaint for live data only, since the last painting
    QTimer cacheTimer_;  ///< fills `cached_` once motion has ended
};

} // namespace weft::ui
