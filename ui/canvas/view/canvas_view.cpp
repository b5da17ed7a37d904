// SPDX-License-Identifier: Apache-2.0
#include "canvas/view/canvas_view.h"

#include "canvas/tools/canvas_tool.h"
#include "canvas/view/accessible_canvas.h"
#include "layout/arrange.h"

#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace weft::ui {

CanvasView::CanvasView(DesignDocument& document, Selection& selection, LiveCheck& check, Look& look,
                       QWidget* parent)
    : QWidget(parent),
      document_(document),
      selection_(selection),
      check_(check),
      look_(look),
      hoverCard_(look, *this) {
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
        redraw();
    });
    connect(&selection_, &Selection::pathChanged, this, [this] {
        camera_.setFitPending(true);
        rebuild();
    });
    connect(&listBuilder_, &DisplayListBuilder::listBuilt, this, &CanvasView::takeList);
    constexpr int untilRest = 70;
    zoomEndTimer_.setSingleShot(true);
    zoomEndTimer_.setInterval(untilRest);
    connect(&zoomEndTimer_, &QTimer::timeout, this, qOverload<>(&QWidget::update));
    constexpr int beforeCard = 400;
    hoverTimer_.setSingleShot(true);
    hoverTimer_.setInterval(beforeCard);
    connect(&hoverTimer_, &QTimer::timeout, this, &CanvasView::openCard);
    connect(&hoverCard_, &HoverCard::fixWanted, this, [this] {
        hoverCard_.hide();
        edits_.applyFix(cardLayer_);
    });
    constexpr int perFrame = 16;
    borderPanTimer_.setInterval(perFrame);
    connect(&borderPanTimer_, &QTimer::timeout, this, &CanvasView::panAtBorder);
    rebuild();
    camera_.setFitPending(listBuilder_.isBusy());
}

CanvasView::~CanvasView() = default;

const CheckedLayers& CanvasView::known() const {
    if (!known_) {
        knownCheck_ = check_.answer();
        known_.emplace(document_.design(), selection_.path(), knownCheck_->preview.get(),
                       knownCheck_->withStep.get());
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
    listBuilder_.buildList({.design = design,
                            .path = selection_.path(),
                            .kinds = document_.kinds(),
                            .check = check_.answer(),
                            .collapsed = collapsed_,
                            .portless = portless_,
                            .rank = rank_,
                            .proof = proof_});
}

void CanvasView::takeList(const std::shared_ptr<DisplayList>& list) {
    if (list->group != selection_.path().group) {
        return;
    }
    list_ = list;
    if (state_.item && !list_->has(*state_.item)) {
        state_.item.reset();
    }
    closeCard();
    redraw();
    emit rebuilt();
    camera_.fitIfPending();
}

QPointF CanvasView::pointer() const {
    const QPoint at = mapFromGlobal(QCursor::pos());
    return camera_.viewport().toScene(rect().contains(at) ? QPointF(at) : QPointF(rect().center()));
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
        redraw();
    }
    live_.setNodes(std::move(nodes), *list_, viewport());
}

void CanvasView::setExposures(std::map<std::string, CanvasState::Exposure> exposures) {
    if (exposures != state_.exposures) {
        state_.exposures = std::move(exposures);
        redraw();
    }
}

void CanvasView::setAtoms(std::map<LayerId, QImage> atoms) {
    if (atoms != state_.atoms) {
        state_.atoms = std::move(atoms);
        redraw();
    }
}

void CanvasView::setRun(bool isRun) {
    if (state_.isRun == isRun) {
        return;
    }
    state_.isRun = isRun;
    rebuild();
    camera_.swapModeViews();
}

void CanvasView::highlightWireAt(QPointF scene) {
    const WireView* wire = list_->wireAt(scene, 12 / viewport().zoom);
    state_.hoveredWire = wire != nullptr ? std::optional(wire->wire) : std::nullopt;
    redraw();
}

void CanvasView::toggle(std::set<LayerId>& among, const std::set<LayerId>& layers) {
    for (const LayerId layer : layers) {
        if (among.erase(layer) == 0) {
            among.insert(layer);
        }
    }
    rebuild();
}

void CanvasView::setBrush(const std::optional<Brush>& brush) {
    if (activeTool_) {
        cancelTool();
    }
    closeCard();
    brush_ = brush;
    state_.tag.reset();
    setCursor(brush_ ? Qt::CrossCursor : Qt::ArrowCursor);
    emit brushChanged();
}

void CanvasView::selectItem(const std::optional<ItemRef>& item) {
    if (item) {
        selection_.clear();
    }
    state_.item = item;
    redraw();
}

void CanvasView::setRank(int rank) {
    const int devices = static_cast<int>(checked().preview->devices.size());
    rank_ = rank < 0 ? -1 : std::min(rank, devices - 1);
    rebuild();
    emit rankChanged();
}

void CanvasView::setProof(std::shared_ptr<const ProofDifferences> proof) {
    proof_ = std::move(proof);
    rebuild();
}

void CanvasView::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    camera_.setRatio(devicePixelRatioF());
    const Viewport& at = camera_.viewport();
    painter.save();
    painter.scale(1 / at.ratio, 1 / at.ratio);
    const QSize pixels = (QSizeF(size()) * at.ratio).toSize();
    const auto still = [&](QPainter& into, const QRect& part) {
        painter_.paint(into, *list_, at, state_, look_.theme(), part);
    };
    if (live_.hasContent()) {
        live_.paint(painter, event->region(), pixels, {*list_, at, state_, look_.theme()}, still);
    } else {
        // Panning exposes separate strips. Each is painted with its own clip, because a frame's
        // translucent fill must not be painted twice.
        QRegion region = event->region();
        if (region.boundingRect() == rect() && CachedPicture::isWorthWholeRepaint(region, size())) {
            region = rect();
        }
        for (const QRect& logical : region) {
            const QRect exposed = at.pixelsOf(logical);
            painter.setClipRect(exposed);
            cachedPicture_.paint(painter, exposed, pixels, at, zoomEndTimer_.isActive(),
                                 look_.theme().surface.canvas, still);
        }
    }
    painter.restore();
}

void CanvasView::resizeEvent(QResizeEvent* event) {
    // While the docks around the view open one after another, shows the whole network until the
    // user pans or zooms.
    if (!camera_.isChosenByUser() && width() > 50 && height() > 50) {
        if (state_.isRun) {
            rebuild();
        }
        camera_.fit();
        return;
    }
    // Keeps the centre of the view.
    if (event->oldSize().isValid()) {
        const QSize grown = event->size() - event->oldSize();
        const Viewport& at = camera_.viewport();
        camera_.lookAt(at.origin - QPointF(grown.width(), grown.height()) / (2 * at.zoom), at.zoom);
    }
}

void CanvasView::wheelEvent(QWheelEvent* event) {
    if (event->pixelDelta().manhattanLength() > 0 &&
        (event->modifiers() & Qt::ControlModifier) == 0 && event->phase() != Qt::NoScrollPhase) {
        camera_.pan(event->pixelDelta());
    } else {
        constexpr double notch = 120;
        zoomEndTimer_.start();
        camera_.zoomTo(viewport().zoom *
                           std::pow(tokens().sizes.zoom.step, event->angleDelta().y() / notch),
                       event->position());
    }
    event->accept();
}

} // namespace weft::ui
