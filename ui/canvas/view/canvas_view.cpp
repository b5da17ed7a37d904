// SPDX-License-Identifier: Apache-2.0
#include "canvas/view/canvas_view.h"

#include "canvas/tools/canvas_tool.h"
#include "canvas/view/accessible_canvas.h"
#include "canvas/view/in_place_editor.h"
#include "layout/arrange.h"

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
    : QWidget(parent),
      document_(document),
      selection_(selection),
      check_(check),
      look_(look),
      card_(look, *this) {
    makeCanvasAccessible(); // must be installed before Qt creates an accessible interface of the
                            // widget
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Canvas"));
    connect(&document_, &DesignDocument::changed, this, [this](const DesignChange& change) {
        if (!change.isOnlyAppearance) {
            proof_.reset();
        }
        rebuild();
    });
    connect(&check_, &LiveCheck::checked, this, &CanvasView::rebuild);
    connect(&look_, &Look::changed, this, qOverload<>(&QWidget::update));
    connect(&selection_, &Selection::changed, this, [this] {
        state_.selected = selection_.layers();
        state_.wire = selection_.wire();
        if (!selection_.isEmpty()) {
            state_.item.reset();
        }
        update();
    });
    connect(&selection_, &Selection::pathChanged, this, [this] {
        wantsFrame_ = true;
        rebuild();
    });
    connect(&maker_, &ListMaker::made, this, &CanvasView::take);
    constexpr int untilRest = 70;
    rest_.setSingleShot(true);
    rest_.setInterval(untilRest);
    connect(&rest_, &QTimer::timeout, this, qOverload<>(&QWidget::update));
    constexpr int beforeCard = 400;
    hovering_.setSingleShot(true);
    hovering_.setInterval(beforeCard);
    connect(&hovering_, &QTimer::timeout, this, &CanvasView::openCard);
    connect(&card_, &HoverCard::fixWanted, this, [this] {
        card_.hide();
        applyFix(cardLayer_);
    });
    constexpr int perFrame = 16;
    border_.setInterval(perFrame);
    connect(&border_, &QTimer::timeout, this, &CanvasView::panAtBorder);
    rebuild();
    wantsFrame_ = maker_.isBusy();
}

CanvasView::~CanvasView() = default;

const KnownLayers& CanvasView::known() const {
    if (!known_) {
        knownOf_ = check_.answer();
        known_.emplace(document_.design(), selection_.path(), knownOf_->preview.get(),
                       knownOf_->withStep.get());
    }
    return *known_;
}

void CanvasView::rebuild() {
    known_.reset();
    const Design* design = &document_.design();
    if (state_.isRun) {
        arranged_ = arranged(document_.design(), *document_.kinds(),
                             static_cast<double>(std::max(1, width())) / std::max(1, height()));
        design = &arranged_;
    }
    if (!hasNetwork(*design, selection_.path())) {
        return; // the selection is about to drop the layer
    }
    maker_.make({.design = design,
                 .path = selection_.path(),
                 .kinds = document_.kinds(),
                 .check = check_.answer(),
                 .collapsed = collapsed_,
                 .portless = portless_,
                 .rank = rank_,
                 .proof = proof_});
}

void CanvasView::take(const std::shared_ptr<DisplayList>& list) {
    if (list->group != selection_.path().group) {
        return;
    }
    list_ = list;
    if (state_.item && !list_->has(*state_.item)) {
        state_.item.reset();
    }
    closeCard();
    update();
    emit rebuilt();
    if (std::exchange(wantsFrame_, false)) {
        const bool wasPlaced = isPlaced_;
        frameAll();
        isPlaced_ = wasPlaced;
    }
}

QRectF CanvasView::shown() const { return {at_.origin, QSizeF(width(), height()) / at_.zoom}; }

QPointF CanvasView::pointer() const {
    const QPoint at = mapFromGlobal(QCursor::pos());
    return at_.toScene(rect().contains(at) ? QPointF(at) : QPointF(rect().center()));
}

void CanvasView::lookAt(QPointF origin, double zoom) {
    const bool isOther = zoom != at_.zoom;
    closeCard();
    if (editor_ != nullptr) {
        editor_->finish();
    }
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
    lookAt(at_.toScene(anchor) - anchor / zoom, zoom);
}

void CanvasView::zoomBy(double factor) { zoomTo(at_.zoom * factor, QPointF(rect().center())); }

void CanvasView::frame(const QRectF& area, double most) {
    if (area.isEmpty() || width() < 1 || height() < 1) {
        return;
    }
    const Sizes::Zoom& limits = tokens().sizes.zoom;
    // A narrow view has a smaller margin.
    const double margin = std::min(frameMargin, width() / 20.0);
    const double zoom = std::clamp(
        std::min((width() - 2 * margin) / area.width(), (height() - 2 * margin) / area.height()),
        limits.min, most);
    lookAt(area.center() - QPointF(width(), height()) / (2 * zoom), zoom);
}

void CanvasView::frameAll() { frame(list_->bounds()); }

void CanvasView::frameSelection() {
    QRectF area;
    for (const LayerId layer : selection_.layers()) {
        if (const NodeView* node = list_->node(layer)) {
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
    // Scrolls by whole device pixels, so that painted content can be reused.
    const QPoint by(static_cast<int>(std::lround(logical.x())),
                    static_cast<int>(std::lround(logical.y())));
    if (by.isNull()) {
        return;
    }
    isPlaced_ = true;
    closeCard();
    if (editor_ != nullptr) {
        editor_->finish();
    }
    at_.origin -= QPointF(by) / at_.zoom;
    scroll(by.x(), by.y(), rect());
    // The overlays stay in place, but their pixels were scrolled with the view, so they are
    // repainted.
    for (QObject* child : children()) {
        if (auto* over = qobject_cast<QWidget*>(child); over != nullptr && over->isVisible()) {
            update(over->geometry());
            update(over->geometry().translated(by));
        }
    }
    emit looked();
}

void CanvasView::setLive(LiveNodes nodes) {
    std::set<LayerId> measured;
    double most = 0;
    for (const auto& [id, node] : nodes) {
        if (node.measured > 0) {
            measured.insert(id);
            most = std::max(most, node.measured);
        }
    }
    // Keeps the scale of all bars as long as the longest bar fits.
    constexpr double slack = 1.15;
    const bool isOther = most > state_.longest || most < state_.longest / 2;
    if (isOther || measured != state_.measured) {
        state_.longest = isOther ? most * slack : state_.longest;
        state_.measured = std::move(measured);
        update();
    }
    live_.setNodes(std::move(nodes), *list_, at_);
}

void CanvasView::setExposures(std::map<std::string, CanvasState::Exposure> exposures) {
    if (exposures != state_.exposures) {
        state_.exposures = std::move(exposures);
        update();
    }
}

void CanvasView::setAtoms(std::map<LayerId, QImage> atoms) {
    if (atoms != state_.atoms) {
        state_.atoms = std::move(atoms);
        update();
    }
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
        lookAt(place.middle - QPointF(width(), height()) / (2 * place.zoom), place.zoom);
    } else {
        frameAll();
        isPlaced_ = false;
    }
}

void CanvasView::centreOn(QPointF scene) {
    lookAt(scene - QPointF(width(), height()) / (2 * at_.zoom), at_.zoom);
}

void CanvasView::highlightWireAt(QPointF scene) {
    const WireView* wire = list_->wireAt(scene, 12 / at_.zoom);
    state_.hoveredWire = wire != nullptr ? std::optional(wire->wire) : std::nullopt;
    update();
}

void CanvasView::reveal(LayerId layer) {
    const NodeView* node = list_->node(layer);
    if (node == nullptr) {
        return;
    }
    const double zoom = std::max(at_.zoom, tokens().sizes.zoom.text);
    if (zoom != at_.zoom || !shown().contains(node->box)) {
        lookAt(node->box.center() - QPointF(width(), height()) / (2 * zoom), zoom);
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

void CanvasView::setRank(int rank) {
    const int devices = static_cast<int>(checked().preview->devices.size());
    rank_ = rank < 0 ? -1 : std::min(rank, devices - 1);
    rebuild();
    emit rankChanged();
}

void CanvasView::setProof(std::shared_ptr<const ProofMarks> proof) {
    proof_ = std::move(proof);
    rebuild();
}

void CanvasView::hidePorts(const std::set<LayerId>& layers) {
    for (const LayerId layer : layers) {
        if (portless_.erase(layer) == 0) {
            portless_.insert(layer);
        }
    }
    rebuild();
}

void CanvasView::setBookmark(int number) {
    bookmarks_[number] = {selection_.path(), shown().center(), at_.zoom};
}

void CanvasView::goToBookmark(int number) {
    const auto found = bookmarks_.find(number);
    if (found == bookmarks_.end() || !hasNetwork(document_.design(), found->second.path)) {
        return;
    }
    const Bookmark bookmark = found->second;
    selection_.enter(bookmark.path);
    wantsFrame_ = false;
    lookAt(bookmark.centre - QPointF(width(), height()) / (2 * bookmark.zoom), bookmark.zoom);
}

void CanvasView::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    at_.ratio = devicePixelRatioF();
    painter.save();
    painter.scale(1 / at_.ratio, 1 / at_.ratio);
    const QSize pixels = (QSizeF(size()) * at_.ratio).toSize();
    const auto still = [this](QPainter& into, const QRect& part) {
        painter_.paint(into, *list_, at_, state_, look_.theme(), part);
    };
    if (live_.isOn()) {
        live_.paint(painter, event->region(), pixels, {*list_, at_, state_, look_.theme()}, still);
    } else {
        // Panning exposes separate strips. Each is painted with its own clip, because a frame's
        // translucent fill must not be painted twice.
        QRegion region = event->region();
        if (region.boundingRect() == rect() && CachedPicture::isWorth(region, size())) {
            region = rect();
        }
        for (const QRect& logical : region) {
            const QRect exposed = at_.pixelsOf(logical);
            painter.setClipRect(exposed);
            kept_.paint(painter, exposed, pixels, at_, rest_.isActive(),
                        look_.theme().surface.canvas, still);
        }
    }
    painter.restore();
    if (list_->nodes.empty() && !maker_.isBusy()) {
        painter.setFont(Look::sans(tokens().sizes.type.label));
        painter.setPen(look_.theme().text.tertiary);
        painter.drawText(rect(), Qt::AlignCenter,
                         tr("Nothing here yet. Press Tab to place a layer, or drop a file."));
    }
}

void CanvasView::resizeEvent(QResizeEvent* event) {
    // While the docks around the view open one after another, shows the whole network until the
    // user pans or zooms.
    if (!isPlaced_ && width() > 50 && height() > 50) {
        if (state_.isRun) {
            rebuild();
        }
        frameAll();
        isPlaced_ = false;
        return;
    }
    // Keeps the centre of the view.
    if (event->oldSize().isValid()) {
        const QSize grown = event->size() - event->oldSize();
        lookAt(at_.origin - QPointF(grown.width(), grown.height()) / (2 * at_.zoom), at_.zoom);
    }
}

void CanvasView::wheelEvent(QWheelEvent* event) {
    if (event->pixelDelta().manhattanLength() > 0 &&
        (event->modifiers() & Qt::ControlModifier) == 0 && event->phase() != Qt::NoScrollPhase) {
        pan(event->pixelDelta());
    } else {
        constexpr double notch = 120;
        rest_.start();
        zoomTo(at_.zoom * std::pow(tokens().sizes.zoom.step, event->angleDelta().y() / notch),
               event->position());
    }
    event->accept();
}

} // namespace weft::ui
