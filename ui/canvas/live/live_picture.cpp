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

QRect seenBox(const Viewport& viewport, const NodeView& node, int rim) {
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

} // namespace

LivePicture::LivePicture(QWidget& view) : view_(view) {
    rest_.setSingleShot(true);
    rest_.setInterval(untilRest);
    // Caches the picture once motion has ended rather than within a tick, which must be short.
    QObject::connect(&rest_, &QTimer::timeout, &view_, [this] {
        wantsKeeping_ = true;
        view_.update();
    });
}

void LivePicture::setLens(Lens lens) {
    lens_ = lens;
    heat_.clear();
    isKept_ = isSheet_ = false;
    sheet_ = {}; // as large as the view
    view_.update();
}

QRegion LivePicture::changedHeat(const DisplayList& list, const Viewport& viewport) {
    const std::vector<Heat> before = std::exchange(heat_, std::vector<Heat>(list.nodes.size()));
    Changed changed(view_.rect());
    if (!isSheet_ || hot_.size() > list.nodes.size()) { // the next painting rebuilds the sheet
        isSheet_ = false;
        hot_.clear();
    }
    for (const int number : list.nodesIn({viewport.origin, QSizeF(view_.size()) / viewport.zoom})) {
        const auto place = static_cast<std::size_t>(number);
        const NodeView& node = list.nodes[place];
        if (const auto live = nodes_.find(node.id); live != nodes_.end()) {
            heat_[place] = heatOf(node, live->second, viewport);
        }
        if (place >= before.size() || before[place] != heat_[place]) {
            changed.add(seenBox(viewport, node, rim));
            hot_.push_back(number);
        }
    }
    return changed.region();
}

QRegion LivePicture::changedNodes(const std::map<LayerId, LiveNode>& nodes, const DisplayList& list,
                                  const Viewport& viewport) const {
    Changed changed(view_.rect());
    const auto add = [&](LayerId id) {
        if (const NodeView* node = list.node(id)) {
            changed.add(seenBox(viewport, *node, rim));
        }
    };
    for (const auto& [id, node] : nodes) {
        const auto known = nodes_.find(id);
        if (known == nodes_.end() || known->second != node) {
            add(id);
        }
    }
    for (const auto& [id, node] : nodes_) {
        if (!nodes.contains(id)) {
            add(id);
        }
    }
    return changed.region();
}

void LivePicture::setNodes(std::map<LayerId, LiveNode> nodes, const DisplayList& list,
                           const Viewport& viewport) {
    const bool wasOn = isOn();
    // Critical nodes are cut out of the veil, and the veil is part of the cached picture.
    const bool isOtherWay =
        lens_ == Lens::critical &&
        !std::ranges::equal(nodes, nodes_, [](const auto& a, const auto& b) {
            return a.first == b.first && a.second.isCritical == b.second.isCritical;
        });
    sum_ = 0;
    most_ = 0;
    for (const auto& [id, node] : nodes) {
        sum_ += node.measured;
        most_ = std::max(most_, node.measured);
    }
    // A change of one layer's time changes all shares slightly, but rarely their rounded text.
    QRegion changed = lens_ == Lens::time ? QRegion() : changedNodes(nodes, list, viewport);
    nodes_ = std::move(nodes);
    if (lens_ == Lens::time) {
        changed = changedHeat(list, viewport);
    }
    if (isOn() != wasOn || isOtherWay) {
        isKept_ = false;
        view_.update();
    } else if (!changed.isEmpty()) {
        tick_ += changed;
        view_.update(changed);
    }
}

void LivePicture::setRemoved(std::vector<RemovedNode> removed) {
    if (removed == removed_) {
        return;
    }
    removed_ = std::move(removed);
    isKept_ = false;
    view_.update();
}

void LivePicture::paintBelow(QPainter& painter, const QRect& exposed, const Scene& scene,
                             const PaintStill& still) const {
    still(painter, exposed);
    if (lens_ == Lens::parallelism || lens_ == Lens::activations) {
        return;
    }
    QColor veil = scene.theme.surface.canvas;
    veil.setAlphaF(dimmed);
    QRegion behind(exposed);
    if (lens_ == Lens::difference || lens_ == Lens::critical) {
        bool isAnyMeant = !removed_.empty();
        for (const auto& [id, node] : nodes_) {
            const bool isMeant = node.change.has_value() || node.isCritical;
            const NodeView* shown = isMeant ? scene.list.node(id) : nullptr;
            if (shown != nullptr) {
                isAnyMeant = true;
                behind -= scene.at.toDevice(shown->box);
            }
        }
        if (!isAnyMeant) {
            return; // no difference is visible in this network, so nothing is dimmed
        }
    }
    for (const QRect& part : behind) {
        painter.fillRect(part, veil);
    }
}

void LivePicture::paint(QPainter& painter, const QRegion& exposed, QSize size, const Scene& scene,
                        const PaintStill& still) {
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
        isSheet_ = false;
    } else if (!isTick || kept_.size() != size) {
        isKept_ = isSheet_ = false;
    }
    // Ticks may arrive faster than the timer's interval, so they don't restart it.
    if (!isKept_ && (!isTick || !rest_.isActive())) {
        rest_.start();
    }
    if (lens_ == Lens::time) {
        sheet_.begin(size);
        isSheet_ = isSheet_ && isKept_;
        paintHeat(part, scene, still);
        for (const QRect& one : exposed) {
            const QRect box = scene.at.pixelsOf(one) & whole;
            painter.drawImage(box, sheet_.image(), box);
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

void LivePicture::draw(QPainter& painter, const QRect& exposed, const Scene& scene) {
    const double scale = scene.at.scale();
    const QRectF area(scene.at.origin + QPointF(exposed.topLeft()) / scale,
                      QSizeF(exposed.size()) / scale);
    const int reach = scene.at.fixed(rim);
    const QRect near = exposed.adjusted(-reach, -reach, reach, reach);
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const int number : scene.list.nodesIn(area)) {
        const NodeView& node = scene.list.nodes[static_cast<std::size_t>(number)];
        const auto live = nodes_.find(node.id);
        if (live != nodes_.end() && near.intersects(scene.at.toDevice(node.box))) {
            drawNode(painter, scene, number, live->second);
        }
    }
    if (lens_ == Lens::difference) {
        drawRemoved(painter, exposed, scene);
    } else if (lens_ == Lens::critical) {
        drawCritical(painter, exposed, scene);
    }
}

} // namespace weft::ui
