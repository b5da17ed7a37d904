// SPDX-License-Identifier: Apache-2.0
#include "canvas/view/camera.h"

#include "canvas/view/canvas_view.h"

#include <algorithm>
#include <cmath>

namespace weft::ui {

namespace {

constexpr double frameMargin = 32;

} // namespace

QRectF Camera::visibleArea() const {
    return {viewport_.origin, QSizeF(view_.width(), view_.height()) / viewport_.zoom};
}

void Camera::lookAt(QPointF origin, double zoom) {
    const bool isOther = zoom != viewport_.zoom;
    prepareMove();
    viewport_.origin = origin;
    viewport_.zoom = zoom;
    view_.redraw();
    emit viewChanged();
    if (isOther) {
        emit zoomChanged(zoom);
    }
}

void Camera::zoomTo(double zoom, QPointF anchor) {
    const Sizes::Zoom& limits = tokens().sizes.zoom;
    zoom = std::clamp(zoom, limits.min, limits.max);
    lookAt(viewport_.toScene(anchor) - anchor / zoom, zoom);
}

void Camera::zoomBy(double factor) {
    zoomTo(viewport_.zoom * factor, QPointF(view_.rect().center()));
}

void Camera::frame(const QRectF& area, double most) {
    if (area.isEmpty() || view_.width() < 1 || view_.height() < 1) {
        return;
    }
    const Sizes::Zoom& limits = tokens().sizes.zoom;
    // A narrow view has a smaller margin.
    const double margin = std::min(frameMargin, view_.width() / 20.0);
    const double zoom = std::clamp(std::min((view_.width() - 2 * margin) / area.width(),
                                            (view_.height() - 2 * margin) / area.height()),
                                   limits.min, most);
    centreOn(area.center(), zoom);
}

void Camera::frameAll() { frame(view_.list().bounds()); }

void Camera::frameSelection() {
    QRectF area;
    for (const LayerId layer : view_.selection().layers()) {
        if (const NodeView* node = view_.list().node(layer)) {
            area |= node->box;
        }
    }
    if (area.isEmpty()) {
        frameAll();
    } else {
        frame(area, std::max(1.0, viewport_.zoom));
    }
}

void Camera::pan(QPointF logical) {
    // Scrolls by whole device pixels, so that painted content can be reused.
    const QPoint by(static_cast<int>(std::lround(logical.x())),
                    static_cast<int>(std::lround(logical.y())));
    if (by.isNull()) {
        return;
    }
    prepareMove();
    viewport_.origin -= QPointF(by) / viewport_.zoom;
    view_.scroll(by.x(), by.y(), view_.rect());
    // The overlays stay in place, but their pixels were scrolled with the view, so they are
    // repainted.
    for (QObject* child : view_.children()) {
        if (auto* over = qobject_cast<QWidget*>(child); over != nullptr && over->isVisible()) {
            view_.redraw(over->geometry());
            view_.redraw(over->geometry().translated(by));
        }
    }
    emit viewChanged();
}

void Camera::reveal(LayerId layer) {
    const NodeView* node = view_.list().node(layer);
    if (node == nullptr) {
        return;
    }
    const double zoom = std::max(viewport_.zoom, tokens().sizes.zoom.text);
    if (zoom != viewport_.zoom || !visibleArea().contains(node->box)) {
        centreOn(node->box.center(), zoom);
    }
}

void Camera::prepareMove() {
    isChosenByUser_ = true;
    view_.closeCard();
    view_.edits().finish();
}

void Camera::centreOn(QPointF scene, double zoom) {
    lookAt(scene - QPointF(view_.width(), view_.height()) / (2 * zoom), zoom);
}

void Camera::fit() {
    const bool wasPlaced = isChosenByUser_;
    frameAll();
    isChosenByUser_ = wasPlaced;
}

void Camera::fitIfPending() {
    if (std::exchange(isFitPending_, false)) {
        fit();
    }
}

void Camera::swapModeViews() {
    ModeView place{viewport_.toScene(QPointF(view_.rect().center())), viewport_.zoom,
                   isChosenByUser_};
    std::swap(place, otherModeView_);
    isChosenByUser_ = place.isChosenByUser;
    if (isChosenByUser_) {
        centreOn(place.middle, place.zoom);
    } else {
        fit();
    }
}

void Camera::setBookmark(int number) {
    bookmarks_[number] = {view_.selection().path(), visibleArea().center(), viewport_.zoom};
}

void Camera::goToBookmark(int number) {
    const auto found = bookmarks_.find(number);
    if (found == bookmarks_.end() || !hasNetwork(view_.document().design(), found->second.path)) {
        return;
    }
    const Bookmark bookmark = found->second;
    view_.selection().enter(bookmark.path);
    isFitPending_ = false;
    centreOn(bookmark.centre, bookmark.zoom);
}

} // namespace weft::ui
