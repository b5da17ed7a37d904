// SPDX-License-Identifier: Apache-2.0
#include "canvas/live/live_picture.h"

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
    constexpr int rim = Lens::rim;
    return viewport.logicalOf(viewport.toDevice(node.box)).adjusted(-rim, -rim, rim, rim);
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
    rest_.setSingleShot(true);
    rest_.setInterval(untilRest);
    // Caches the picture once motion has ended rather than within a tick, which must be short.
    QObject::connect(&rest_, &QTimer::timeout, &view_, [this] {
        wantsKeeping_ = true;
        view_.update();
    });
}

void LivePicture::setLens(const QString& id) {
    lens_->stop();
    const auto isChosen = [&](const std::unique_ptr<Lens>& one) { return one->info.id == id; };
    lens_ = std::ranges::find_if(lenses_, isChosen)->get();
    lens_->take(nodes_);
    isKept_ = false;
    view_.update();
}

std::set<LayerId> LivePicture::meant() const {
    std::set<LayerId> layers;
    for (const auto& [id, node] : nodes_) {
        if (lens_->isMeant(node)) {
            layers.insert(id);
        }
    }
    return layers;
}

void LivePicture::setNodes(LiveNodes nodes, const DisplayList& list, const Viewport& viewport) {
    const bool wasOn = isOn();
    const std::set<LayerId> wereMeant = meant();
    std::swap(nodes_, nodes); // `nodes` are the previous ones
    lens_->take(nodes_);
    Changed changed(view_.rect());
    const double rim = Lens::rim / viewport.zoom;
    const QRectF seen(viewport.origin, QSizeF(view_.size()) / viewport.zoom);
    for (const int number : list.nodesIn(seen.adjusted(-rim, -rim, rim, rim))) {
        const NodeView& node = list.nodes[static_cast<std::size_t>(number)];
        if (lens_->isOther(node, number, viewport, find(nodes, node.id), find(nodes_, node.id))) {
            changed.add(seenBox(viewport, node));
        }
    }
    const QRegion region = changed.region();
    // Meant nodes are cut out of the veil, and the veil is part of the cached picture.
    if (isOn() != wasOn || meant() != wereMeant) {
        isKept_ = false;
        view_.update();
    } else if (!region.isEmpty()) {
        tick_ += region;
        view_.update(region);
    }
}

void LivePicture::paintBelow(QPainter& painter, const QRect& exposed, const LiveScene& scene,
                             const PaintStill& still) const {
    still(painter, exposed);
    const Lens::Dims dims = lens_->dims();
    QColor veil = scene.theme.surface.canvas;
    veil.setAlphaF(dimmed);
    QRegion behind(exposed);
    bool isDimmed = dims == Lens::Dims::all;
    for (const auto& [id, node] : nodes_) {
        const NodeView* shown = lens_->isMeant(node) ? scene.list.node(id) : nullptr;
        if (shown != nullptr) {
            isDimmed = isDimmed || dims == Lens::Dims::allButMeant;
            behind -= scene.at.toDevice(shown->box);
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
                        const LiveScene& scene, const PaintStill& still) {
    const QRect whole(QPoint(), size);
    const QRect part = scene.at.pixelsOf(exposed.boundingRect()) & whole;
    const bool isTick = !tick_.isEmpty() && (exposed - tick_).isEmpty();
    tick_ = {};
    if (!isOn()) {
        isKept_ = false;
        kept_ = {};
        still(painter, part);
        return;
    }
    if (std::exchange(wantsKeeping_, false)) {
        if (kept_.size() != size) {
            kept_ = QImage(size, QImage::Format_RGB32);
        }
        QPainter into(&kept_);
        paintBelow(into, whole, scene, still);
        isKept_ = true;
        ++keptNumber_;
    } else if (!isTick || kept_.size() != size) {
        isKept_ = false;
    }
    // Ticks may arrive faster than the timer's interval, so they don't restart it.
    if (!isKept_ && (!isTick || !rest_.isActive())) {
        rest_.start();
    }
    const LiveGround ground{
        isKept_ ? &kept_ : nullptr, keptNumber_,
        [&](QPainter& into, const QRect& box) { paintBelow(into, box, scene, still); }};
    if (const QImage* sheet = lens_->sheet(part, size, scene, nodes_, ground)) {
        for (const QRect& one : exposed) {
            const QRect box = scene.at.pixelsOf(one) & whole;
            painter.drawImage(box, *sheet, box);
        }
        return;
    }
    if (!isKept_) {
        paintBelow(painter, part, scene, still);
        draw(painter, part, scene);
        return;
    }
    for (const QRect& one : exposed) {
        // Paints each rectangle alone: clipping to many rectangles at once is several times slower.
        const QRect box = scene.at.pixelsOf(one) & whole;
        painter.setClipRect(box);
        painter.drawImage(box, kept_, box);
        draw(painter, box, scene);
    }
}

void LivePicture::draw(QPainter& painter, const QRect& exposed, const LiveScene& scene) {
    const double scale = scene.at.scale();
    const QRectF area(scene.at.origin + QPointF(exposed.topLeft()) / scale,
                      QSizeF(exposed.size()) / scale);
    const int reach = scene.at.fixed(Lens::rim);
    const QRect near = exposed.adjusted(-reach, -reach, reach, reach);
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const int number : scene.list.nodesIn(area)) {
        const NodeView& node = scene.list.nodes[static_cast<std::size_t>(number)];
        const auto live = nodes_.find(node.id);
        if (live != nodes_.end() && near.intersects(scene.at.toDevice(node.box))) {
            lens_->drawAll(painter, scene, number, live->second);
        }
    }
    lens_->drawOver(painter, exposed, scene, nodes_);
}

} // namespace weft::ui
