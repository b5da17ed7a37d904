// SPDX-License-Identifier: Apache-2.0
#include "canvas/live/live_picture.h"

#include "canvas/paint/cached_picture.h"

#include <QPainter>
#include <QWidget>
#include <algorithm>
#include <cmath>

namespace weft::ui {

namespace {

// With more changed rectangles, repainting everything is faster.
constexpr std::size_t mostRectangles = 200;
constexpr int untilRest = 150;
// Opacity of the veil over nodes that the lens does not emphasise.
constexpr float dimmed = 0.6F;

QRect seenBox(const Viewport& viewport, const NodeView& node) {
    constexpr int markMargin = Lens::markMargin;
    return viewport.logicalOf(viewport.toDevice(node.box))
        .adjusted(-markMargin, -markMargin, markMargin, markMargin);
}

/// Collects the region to repaint.
class Changed {
public:
    explicit Changed(QRect whole) : whole_(whole) {}
    void add(const QRect& box) {
        if (box.intersects(whole_) && boxes_.size() <= mostRectangles) {
            boxes_.push_back(box & whole_);
        }
    }
    [[nodiscard]] QRegion region() const {
        if (boxes_.size() > mostRectangles) {
            return whole_;
        }
        QRegion region;
        for (const QRect& box : boxes_) {
            region += box;
        }
        return region;
    }

private:
    QRect whole_;
    std::vector<QRect> boxes_;
};

/// Returns the rectangles of a region; its bounding rectangle if painting that at once is faster.
QRegion separateParts(const QRegion& region, QSize view) {
    constexpr int most = 32;
    return region.rectCount() > most || CachedPicture::isWorthWholeRepaint(region, view)
               ? QRegion(region.boundingRect())
               : region;
}

const LiveNode* find(const LiveNodes& nodes, LayerId id) {
    const auto found = nodes.find(id);
    return found == nodes.end() ? nullptr : &found->second;
}

} // namespace

LivePicture::LivePicture(QWidget& view) : view_(view) {
    LensList list;
    lenses::fill(list);
    lenses_ = std::move(list.lenses);
    lens_ = lenses_.front().get();
    cacheTimer_.setSingleShot(true);
    cacheTimer_.setInterval(untilRest);
    // Caches the picture once motion has ended rather than within a tick, which must be short.
    QObject::connect(&cacheTimer_, &QTimer::timeout, &view_, [this] {
        wantsCaching_ = true;
        view_.update();
    });
}

void LivePicture::setLens(const QString& id) {
    lens_->stop();
    const auto isChosen = [&](const std::unique_ptr<Lens>& one) { return one->info.id == id; };
    lens_ = std::ranges::find_if(lenses_, isChosen)->get();
    lens_->takeNodes(nodes_);
    isCached_ = false;
    view_.update();
}

std::set<LayerId> LivePicture::emphasisedLayers() const {
    std::set<LayerId> layers;
    for (const auto& [id, node] : nodes_) {
        if (lens_->isEmphasised(node)) {
            layers.insert(id);
        }
    }
    return layers;
}

void LivePicture::setNodes(LiveNodes nodes, const DisplayList& list, const Viewport& viewport) {
    const bool wasOn = hasContent();
    const std::set<LayerId> wereEmphasised = emphasisedLayers();
    std::swap(nodes_, nodes); // `nodes` are the previous ones
    lens_->takeNodes(nodes_);
    Changed changed(view_.rect());
    const double markMargin = Lens::markMargin / viewport.zoom;
    const QRectF seen(viewport.origin, QSizeF(view_.size()) / viewport.zoom);
    for (const int number :
         list.nodesIn(seen.adjusted(-markMargin, -markMargin, markMargin, markMargin))) {
        const NodeView& node = list.nodes[static_cast<std::size_t>(number)];
        if (lens_->needsRepaint(node, number, viewport, find(nodes, node.id),
                                find(nodes_, node.id))) {
            changed.add(seenBox(viewport, node));
        }
    }
    const QRegion region = changed.region();
    // Emphasised nodes are cut out of the veil, and the veil is part of the cached picture.
    if (hasContent() != wasOn || emphasisedLayers() != wereEmphasised) {
        isCached_ = false;
        view_.update();
    } else if (!region.isEmpty()) {
        tickRegion_ += region;
        view_.update(region);
    }
}

void LivePicture::paintDimmedCanvas(QPainter& painter, const QRect& exposed, const LiveScene& scene,
                                    const PaintCanvas& still) const {
    still(painter, exposed);
    const Lens::Dimming dimming = lens_->dimming();
    QColor veil = scene.theme.surface.canvas;
    veil.setAlphaF(dimmed);
    QRegion behind(exposed);
    bool isDimmed = dimming == Lens::Dimming::all;
    for (const auto& [id, node] : nodes_) {
        const NodeView* shown = lens_->isEmphasised(node) ? scene.list.node(id) : nullptr;
        if (shown != nullptr) {
            isDimmed = isDimmed || dimming == Lens::Dimming::allButEmphasised;
            behind -= scene.viewport.toDevice(shown->box);
        }
    }
    if (!isDimmed) {
        return;
    }
    for (const QRect& part : behind) {
        painter.fillRect(part, veil);
    }
}

void LivePicture::paint(QPainter& painter, const QRegion& exposed, QSize size,
                        const LiveScene& scene, const PaintCanvas& still) {
    const QRect whole(QPoint(), size);
    const QRect part = scene.viewport.pixelsOf(exposed.boundingRect()) & whole;
    const bool isTick = !tickRegion_.isEmpty() && (exposed - tickRegion_).isEmpty();
    tickRegion_ = {};
    if (!hasContent()) {
        isCached_ = false;
        cached_ = {};
        still(painter, part);
        return;
    }
    if (std::exchange(wantsCaching_, false)) {
        if (cached_.size() != size) {
            cached_ = QImage(size, QImage::Format_RGB32);
        }
        QPainter into(&cached_);
        paintDimmedCanvas(into, whole, scene, still);
        isCached_ = true;
        ++cachedNumber_;
    } else if (!isTick || cached_.size() != size) {
        isCached_ = false;
    }
    // Ticks may arrive faster than the timer's interval, so they don't restart it.
    if (!isCached_ && (!isTick || !cacheTimer_.isActive())) {
        cacheTimer_.start();
    }
    const CanvasBackground background{
        isCached_ ? &cached_ : nullptr, cachedNumber_,
        [&](QPainter& into, const QRect& box) { paintDimmedCanvas(into, box, scene, still); }};
    if (!isCached_) {
        // Panning exposes strips that meet at a corner, and overlays that stand elsewhere.
        for (const QRect& one : separateParts(exposed, view_.size())) {
            const QRect box = scene.viewport.pixelsOf(one) & whole;
            painter.setClipRect(box);
            if (const QImage* sheet = lens_->renderView(box, size, scene, nodes_, background)) {
                painter.drawImage(box, *sheet, box);
            } else {
                paintDimmedCanvas(painter, box, scene, still);
                drawLiveData(painter, box, scene);
            }
        }
        return;
    }
    if (const QImage* sheet = lens_->renderView(part, size, scene, nodes_, background)) {
        for (const QRect& one : exposed) {
            const QRect box = scene.viewport.pixelsOf(one) & whole;
            painter.drawImage(box, *sheet, box);
        }
        return;
    }
    for (const QRect& one : exposed) {
        // Paints each rectangle alone: clipping to many rectangles at once is several times slower.
        const QRect box = scene.viewport.pixelsOf(one) & whole;
        painter.setClipRect(box);
        painter.drawImage(box, cached_, box);
        drawLiveData(painter, box, scene);
    }
}

void LivePicture::drawLiveData(QPainter& painter, const QRect& exposed, const LiveScene& scene) {
    const double scale = scene.viewport.scale();
    const QRectF area(scene.viewport.origin + QPointF(exposed.topLeft()) / scale,
                      QSizeF(exposed.size()) / scale);
    const int reach = scene.viewport.fixed(Lens::markMargin);
    const QRect near = exposed.adjusted(-reach, -reach, reach, reach);
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const int number : scene.list.nodesIn(area)) {
        const NodeView& node = scene.list.nodes[static_cast<std::size_t>(number)];
        const auto live = nodes_.find(node.id);
        if (live != nodes_.end() && near.intersects(scene.viewport.toDevice(node.box))) {
            lens_->drawWholeNode(painter, scene, number, live->second);
        }
    }
    lens_->drawAboveNodes(painter, exposed, scene, nodes_);
}

} // namespace weft::ui
