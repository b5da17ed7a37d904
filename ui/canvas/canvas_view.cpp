// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/canvas_view.h"

#include "canvas/layout/arrange.h"
#include "canvas/tools/canvas_tool.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace weft::ui {

namespace {

constexpr double frameMargin = 32;

} // namespace

CanvasView::CanvasView(DesignDocument& document, Selection& selection, LiveCheck& check, Look& look,
                       QWidget* parent)
    : QWidget(parent), document_(document), selection_(selection), check_(check), look_(look) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Canvas"));
    connect(&document_, &DesignDocument::changed, this, &CanvasView::rebuild);
    connect(&check_, &LiveCheck::checked, this, &CanvasView::rebuild);
    connect(&look_, &Look::changed, this, qOverload<>(&QWidget::update));
    connect(&selection_, &Selection::changed, this, [this] {
        state_.selected = selection_.layers();
        state_.wire = selection_.wire();
        update();
    });
    connect(&selection_, &Selection::pathChanged, this, [this] {
        rebuild();
        frameAll();
    });
    rebuild();
}

CanvasView::~CanvasView() = default;

void CanvasView::rebuild() {
    DisplayRequest request;
    request.design = &document_.design();
    if (state_.isRun) {
        arranged_ = arranged(document_.design(), *document_.kinds(),
                             static_cast<double>(std::max(1, width())) / std::max(1, height()));
        request.design = &arranged_;
    }
    request.path = selection_.path();
    request.kinds = document_.kinds().get();
    request.preview = check_.answer()->revision > 0 ? &check_.answer()->preview : nullptr;
    request.collapsed = collapsed_;
    if (!hasNetwork(document_.design(), request.path)) {
        return; // the selection leaves it in a moment
    }
    list_ = buildDisplayList(request);
    update();
    emit looked();
}

QPointF CanvasView::pointer() const {
    const QPoint at = mapFromGlobal(QCursor::pos());
    return at_.toScene(rect().contains(at) ? QPointF(at) : QPointF(rect().center()));
}

void CanvasView::showPlace(QPointF origin, double zoom) {
    const bool isOther = zoom != at_.zoom;
    at_.origin = origin;
    at_.zoom = zoom;
    isPlaced_ = true;
    update();
    emit looked();
    if (isOther) {
        emit zoomChanged(zoom);
    }
}

void CanvasView::zoomTo(double zoom, QPointF anchor) {
    const Sizes::Zoom& limits = tokens().sizes.zoom;
    zoom = std::clamp(zoom, limits.min, limits.max);
    showPlace(at_.toScene(anchor) - anchor / zoom, zoom);
}

void CanvasView::zoomBy(double factor) { zoomTo(at_.zoom * factor, QPointF(rect().center())); }

void CanvasView::frame(const QRectF& area, double most) {
    if (area.isEmpty() || width() < 1 || height() < 1) {
        return;
    }
    const Sizes::Zoom& limits = tokens().sizes.zoom;
    // A narrow view cannot spare as much.
    const double margin = std::min(frameMargin, width() / 20.0);
    const double zoom = std::clamp(
        std::min((width() - 2 * margin) / area.width(), (height() - 2 * margin) / area.height()),
        limits.min, most);
    showPlace(area.center() - QPointF(width(), height()) / (2 * zoom), zoom);
}

void CanvasView::frameAll() { frame(list_.bounds()); }

void CanvasView::frameSelection() {
    QRectF area;
    for (const LayerId layer : selection_.layers()) {
        if (const NodeView* node = list_.node(layer)) {
            area |= node->box;
        }
    }
    if (area.isEmpty()) {
        frameAll();
    } else {
        frame(area, std::max(1.0, at_.zoom));
    }
}

void CanvasView::pan(QPointF logical) {
    // Whole device pixels, so that what was painted can be scrolled.
    const QPoint by(static_cast<int>(std::lround(logical.x())),
                    static_cast<int>(std::lround(logical.y())));
    if (by.isNull()) {
        return;
    }
    isPlaced_ = true;
    at_.origin -= QPointF(by) / at_.zoom;
    scroll(by.x(), by.y());
    emit looked();
}

void CanvasView::setLive(std::map<LayerId, LiveNode> nodes) {
    std::set<LayerId> measured;
    double most = 0;
    for (const auto& [id, node] : nodes) {
        if (node.measured > 0) {
            measured.insert(id);
            most = std::max(most, node.measured);
        }
    }
    // The scale of all bars stays while the longest fits it.
    constexpr double slack = 1.15;
    const bool isOther = most > state_.longest || most < state_.longest / 2;
    if (isOther || measured != state_.measured) {
        state_.longest = isOther ? most * slack : state_.longest;
        state_.measured = std::move(measured);
        update();
    }
    live_.setNodes(std::move(nodes), list_, at_);
}

void CanvasView::setRun(bool isRun) {
    if (state_.isRun == isRun) {
        return;
    }
    Place place{at_.toScene(QPointF(rect().center())), at_.zoom, isPlaced_};
    std::swap(place, other_);
    state_.isRun = isRun;
    rebuild();
    isPlaced_ = place.isPlaced;
    if (isPlaced_) {
        showPlace(place.middle - QPointF(width(), height()) / (2 * place.zoom), place.zoom);
    } else {
        frameAll();
        isPlaced_ = false;
    }
}

void CanvasView::centreOn(QPointF scene) {
    showPlace(scene - QPointF(width(), height()) / (2 * at_.zoom), at_.zoom);
}

void CanvasView::highlightWireAt(QPointF scene) {
    const WireView* wire = list_.wireAt(scene, 12 / at_.zoom);
    state_.hoveredWire = wire != nullptr ? std::optional(wire->wire) : std::nullopt;
    update();
}

void CanvasView::reveal(LayerId layer) {
    const NodeView* node = list_.node(layer);
    if (node == nullptr) {
        return;
    }
    const double zoom = std::max(at_.zoom, tokens().sizes.zoom.text);
    const QRectF shown(at_.origin, QSizeF(width(), height()) / at_.zoom);
    if (zoom != at_.zoom || !shown.contains(node->box)) {
        showPlace(node->box.center() - QPointF(width(), height()) / (2 * zoom), zoom);
    }
}

void CanvasView::collapse(const std::set<LayerId>& layers) {
    for (const LayerId layer : layers) {
        if (collapsed_.erase(layer) == 0) {
            collapsed_.insert(layer);
        }
    }
    rebuild();
}

void CanvasView::begin(std::unique_ptr<CanvasTool> tool) { tool_ = std::move(tool); }

void CanvasView::endTool() {
    // A tool that lets go may ask for another.
    const std::unique_ptr<CanvasTool> ended = std::move(tool_);
}

bool CanvasView::event(QEvent* event) {
    // Tab adds a layer here; it does not leave the canvas (F6 does).
    if (event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Tab && key->modifiers() == Qt::NoModifier) {
            emit addWanted(pointer());
            return true;
        }
    }
    return QWidget::event(event);
}

void CanvasView::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    at_.ratio = devicePixelRatioF();
    painter.scale(1 / at_.ratio, 1 / at_.ratio);
    live_.paint(painter, event->region(), (QSizeF(size()) * at_.ratio).toSize(),
                {list_, at_, state_, look_.theme()}, [this](QPainter& into, const QRect& part) {
                    painter_.paint(into, list_, at_, state_, look_.theme(), part);
                });
    if (list_.nodes.empty()) {
        painter.resetTransform();
        painter.setFont(Look::sans(tokens().sizes.type.label));
        painter.setPen(look_.theme().text.tertiary);
        painter.drawText(rect(), Qt::AlignCenter,
                         tr("Nothing here yet. Press Tab to place a layer, or drop a file."));
    }
}

void CanvasView::resizeEvent(QResizeEvent* event) {
    // Docks open around it one after another: until hands move it, it shows all.
    if (!isPlaced_ && width() > 50 && height() > 50) {
        if (state_.isRun) {
            rebuild();
        }
        frameAll();
        isPlaced_ = false;
        return;
    }
    // What is in the middle stays there.
    if (event->oldSize().isValid()) {
        const QSize grown = event->size() - event->oldSize();
        showPlace(at_.origin - QPointF(grown.width(), grown.height()) / (2 * at_.zoom), at_.zoom);
    }
}

void CanvasView::wheelEvent(QWheelEvent* event) {
    if (event->pixelDelta().manhattanLength() > 0 &&
        (event->modifiers() & Qt::ControlModifier) == 0 && event->phase() != Qt::NoScrollPhase) {
        pan(event->pixelDelta());
    } else {
        constexpr double notch = 120;
        zoomTo(at_.zoom * std::pow(tokens().sizes.zoom.step, event->angleDelta().y() / notch),
               event->position());
    }
    event->accept();
}

void CanvasView::mousePressEvent(QMouseEvent* event) {
    const QPointF at = event->position();
    const QPointF scene = at_.toScene(at);
    if (tool_) {
        return;
    }
    if (event->button() == Qt::MiddleButton ||
        (event->button() == Qt::LeftButton && isSpaceHeld_)) {
        begin(makePanTool(*this, at));
        return;
    }
    if (event->button() != Qt::LeftButton) {
        return;
    }
    if (state_.isRun) {
        pick(scene, event->modifiers());
        return;
    }
    const double reach = tokens().sizes.size.hitMinimum / 2.0 / at_.zoom;
    const bool isNear = at_.zoom >= tokens().sizes.zoom.text;
    if (const DisplayList::PortHit hit = list_.portAt(scene, reach);
        isNear && hit.port != nullptr) {
        const Endpoint end{hit.node->id, hit.port->name.toStdString()};
        const bool isMoved = hit.port->isInput && (event->modifiers() & Qt::ControlModifier) != 0;
        begin(makeWireTool(*this, end, !hit.port->isInput, isMoved));
    } else if (const NodeView* node = list_.nodeAt(scene)) {
        begin(makeMoveTool(*this, at, node->id));
    } else if (const WireView* wire = list_.wireAt(scene, 6 / at_.zoom)) {
        selection_.selectWire(wire->wire);
    } else if (const FrameView* frame = list_.frameAt(scene);
               frame != nullptr && scene.y() < frame->box.top() + 30) {
        begin(makeFrameTool(*this, at, frame->index));
    } else {
        begin(makeBandTool(*this, at));
    }
}

void CanvasView::pick(QPointF scene, Qt::KeyboardModifiers modifiers) {
    if (const NodeView* node = list_.nodeAt(scene)) {
        if ((modifiers & Qt::ControlModifier) != 0) {
            selection_.toggle(node->id);
        } else {
            selection_.select({node->id});
        }
    } else if (const WireView* wire = list_.wireAt(scene, 6 / at_.zoom)) {
        selection_.selectWire(wire->wire);
    } else {
        begin(makeBandTool(*this, at_.toLogical(scene)));
    }
}

void CanvasView::mouseMoveEvent(QMouseEvent* event) {
    if (tool_) {
        tool_->move(event->position(), event->modifiers());
    } else {
        hover(event->position());
    }
}

void CanvasView::mouseReleaseEvent(QMouseEvent* event) {
    if (tool_) {
        tool_->release(event->position(), event->modifiers());
        endTool();
    }
}

void CanvasView::mouseDoubleClickEvent(QMouseEvent* event) {
    const QPointF scene = at_.toScene(event->position());
    const NodeView* node = list_.nodeAt(scene);
    if (node == nullptr) {
        emit addWanted(scene);
    } else if (node->isGroup) {
        selection_.enter({node->kind.toStdString()});
    } else {
        emit entered();
    }
}

void CanvasView::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Escape:
        if (tool_) {
            tool_->cancel();
            endTool();
        } else if (!selection_.isEmpty()) {
            selection_.clear();
        } else {
            selection_.enter({});
        }
        break;
    case Qt::Key_Space:
        isSpaceHeld_ = true;
        setCursor(Qt::OpenHandCursor);
        break;
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right: walk(event->key()); break;
    default: QWidget::keyPressEvent(event); break;
    }
}

void CanvasView::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) {
        isSpaceHeld_ = false;
        unsetCursor();
    }
}

void CanvasView::leaveEvent(QEvent*) {
    state_.hovered = {};
    state_.hoveredWire.reset();
    update();
}

void CanvasView::hover(QPointF logical) {
    const QPointF scene = at_.toScene(logical);
    const NodeView* node = list_.nodeAt(scene);
    const WireView* wire = node == nullptr ? list_.wireAt(scene, 6 / at_.zoom) : nullptr;
    const LayerId hovered = node != nullptr ? node->id : LayerId{};
    const std::optional<Wire> on = wire != nullptr ? std::optional(wire->wire) : std::nullopt;
    if (hovered == state_.hovered && on == state_.hoveredWire) {
        return;
    }
    // Only the two nodes that change are painted anew.
    for (const LayerId id : {state_.hovered, hovered}) {
        if (const NodeView* changed = list_.node(id)) {
            const QRect box = at_.toDevice(changed->box);
            update(QRect(box.topLeft() / at_.ratio, box.size() / at_.ratio).adjusted(-8, -8, 8, 8));
        }
    }
    if (on != state_.hoveredWire) {
        update();
    }
    state_.hovered = hovered;
    state_.hoveredWire = on;
}

void CanvasView::walk(int key) {
    const NodeView* from = list_.node(selection_.current());
    if (from == nullptr) {
        if (!list_.nodes.empty()) {
            selection_.select({list_.nodes.front().id});
            reveal(list_.nodes.front().id);
        }
        return;
    }
    const QPointF direction = key == Qt::Key_Up     ? QPointF(0, -1)
                              : key == Qt::Key_Down ? QPointF(0, 1)
                              : key == Qt::Key_Left ? QPointF(-1, 0)
                                                    : QPointF(1, 0);
    // Along a wire if one leads that way, else to the nearest node there.
    const NodeView* best = nullptr;
    double least = std::numeric_limits<double>::infinity();
    const auto consider = [&](const NodeView& node, double favour) {
        const QPointF way = node.box.center() - from->box.center();
        const double ahead = QPointF::dotProduct(way, direction);
        if (&node == from || ahead <= 0) {
            return;
        }
        const double aside = std::abs(way.x() * direction.y() - way.y() * direction.x());
        const double cost = (ahead + 2 * aside) * favour;
        if (cost < least) {
            least = cost;
            best = &node;
        }
    };
    for (const NodeView& node : list_.nodes) {
        consider(node, 1);
    }
    constexpr double alongWire = 0.1;
    for (const WireView& wire : list_.wires) {
        const LayerId other = wire.wire.from.layer == from->id ? wire.wire.to.layer
                              : wire.wire.to.layer == from->id ? wire.wire.from.layer
                                                               : LayerId{};
        if (const NodeView* node = list_.node(other)) {
            consider(*node, alongWire);
        }
    }
    if (best != nullptr) {
        const LayerId id = best->id;
        selection_.select({id});
        reveal(id);
    }
}

} // namespace weft::ui
