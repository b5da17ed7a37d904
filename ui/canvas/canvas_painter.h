// SPDX-License-Identifier: Apache-2.0
#pragma once
// Paints a display list in device pixels: whole-number rectangles, one-pixel lines, kept pixmaps
// and runs of glyphs. No transform, no wide pens, no caches per item: every frame is crisp.

#include "canvas/display_list.h"
#include "canvas/glyph_text.h"
#include "theme/theme.h"

#include <QHash>
#include <QImage>
#include <QLineF>
#include <QPixmap>
#include <QPolygonF>
#include <map>
#include <optional>
#include <set>

class QPainter;

namespace weft::ui {

/// Which part of the canvas is looked at, and how closely.
struct Viewport {
    QPointF origin;   ///< of the top left corner, in the design's units
    double zoom = 1;  ///< logical pixels per unit
    double ratio = 1; ///< device pixels per logical pixel

    [[nodiscard]] double scale() const { return zoom * ratio; }
    [[nodiscard]] QPointF toDevice(QPointF at) const { return (at - origin) * scale(); }
    [[nodiscard]] QPointF toLogical(QPointF at) const { return (at - origin) * zoom; }
    [[nodiscard]] QPointF toScene(QPointF logical) const { return logical / zoom + origin; }
    /// To whole device pixels, edges where their neighbours' are.
    [[nodiscard]] QRect toDevice(const QRectF& box) const;
    /// All device pixels of a part of the view, and back.
    [[nodiscard]] QRect pixelsOf(const QRect& logical) const;
    [[nodiscard]] QRect logicalOf(const QRect& pixels) const;

    /// Units to whole device pixels, never nothing.
    [[nodiscard]] int px(double units) const;
    /// Logical pixels that stay so at every zoom.
    [[nodiscard]] int fixed(double logical) const;
    /// Close enough for all text, or so far off that there is none.
    [[nodiscard]] bool isNear() const { return zoom >= tokens().sizes.zoom.text; }
    [[nodiscard]] bool isFar() const { return zoom < tokens().sizes.zoom.blocks; }
};

/// What the hands are doing, on top of the design itself.
struct CanvasState {
    std::set<LayerId> selected;
    LayerId hovered;
    LayerId focused;
    std::optional<Wire> wire; ///< selected
    std::optional<Wire> hoveredWire;
    std::optional<QRectF> band;  ///< of the selection being drawn
    QPolygonF lasso;             ///< the same by hand
    QPolygonF cut;               ///< a line through the wires that go
    std::vector<QLineF> guides;  ///< along which what is dragged stands in line with others
    bool isDragging = false;     ///< what is selected follows the pointer
    std::optional<ItemRef> item; ///< selected
    /// Words at the pointer: what a wire carries, or why something may not be.
    struct Tag {
        QPointF at;
        QString text;
        bool isRefusal = false;
    };
    std::optional<Tag> tag;
    /// A wire being drawn: from a port to the pointer, and what it would meet.
    struct Drag {
        LayerId layer;
        QString port;
        bool fromOutput = true;
        QPointF to;
        LayerId target;
        QString targetPort;
        QString refusal;   ///< why it may not end where the pointer is
        QStringList legal; ///< "layer id/port" of the ports that may be met
    };
    std::optional<Drag> drag;
    /// Of these a run's times stand above the picture, which leaves their place free.
    std::set<LayerId> measured;
    double longest = 0; ///< seconds of the slowest of them: bars are no longer than this
    bool isRun = false; ///< a run is looked at: times come before shapes
    /// What of a collective's time nothing hides, by its name; of those not in it nothing is known.
    struct Exposure {
        std::string kind;
        double share = 0;
        double seconds = 0;
        bool isMeasured = false;
        bool operator==(const Exposure&) const = default;
    };
    std::map<std::string, Exposure> exposures;
    std::map<LayerId, QImage> atoms; ///< of the dictionaries that the run which is looked at learns
};

class CanvasPainter {
public:
    /// All that lies in `exposed` (device pixels).
    void paint(QPainter& painter, const DisplayList& list, const Viewport& viewport,
               const CanvasState& state, const Theme& theme, const QRect& exposed);

private:
    struct Frame; ///< what one call of paint works with
    void paintGrid(Frame& to);
    void paintFrames(Frame& to);
    void paintWire(Frame& to, const WireView& wire);
    void paintReroutes(Frame& to, const WireView& wire, const QColor& colour);
    void paintBadge(Frame& to, const BadgeView& badge);
    void paintSync(Frame& to, const SyncView& sync);
    void paintDictionary(Frame& to, const SyncView& sync);
    void paintExposure(Frame& to, const BadgeView& badge, QPoint place);
    void paintNode(Frame& to, const NodeView& node);
    void drawDashedBorder(Frame& to, const QRect& box);
    void paintFar(Frame& to, const NodeView& node, const QRect& box);
    void paintBody(Frame& to, const NodeView& node, const QRect& box);
    void paintRings(Frame& to, const NodeView& node, const QRect& box);
    void paintNear(Frame& to, const NodeView& node, const QRect& box);
    void paintHeader(Frame& to, const NodeView& node, const QRect& box);
    void paintValues(Frame& to, const NodeView& node, const QRect& box);
    void paintMiddle(Frame& to, const NodeView& node, const QRect& box);
    void paintBars(Frame& to, const NodeView& node, const QRect& box);
    void paintProof(Frame& to, const NodeView& node, const QRect& box);
    void paintProblem(Frame& to, const NodeView& node, const QRect& box);
    void paintPorts(Frame& to, const NodeView& node);
    void paintOver(Frame& to);
    void paintDrag(Frame& to, const CanvasState::Drag& drag);
    void paintTag(Frame& to, QPointF at, const QString& text, bool isRefusal);
    void paintNote(Frame& to, const QRect& box);

    GlyphText text_;
};

} // namespace weft::ui
