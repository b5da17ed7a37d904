// SPDX-License-Identifier: Apache-2.0
#pragma once
// Paints a display list in device pixels: whole-number rectangles, one-pixel lines, cached pixmaps
// and glyph runs. It uses no transform, no wide pens and no caches per item, so that every frame is
// sharp.

#include "canvas/paint/glyph_text.h"
#include "canvas/scene/display_list.h"
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

/// The visible part of the canvas and its zoom.
struct Viewport {
    QPointF origin;   ///< top left corner, in the design's units
    double zoom = 1;  ///< logical pixels per unit
    double ratio = 1; ///< device pixels per logical pixel

    [[nodiscard]] double scale() const { return zoom * ratio; }
    [[nodiscard]] QPointF toDevice(QPointF at) const { return (at - origin) * scale(); }
    [[nodiscard]] QPointF toLogical(QPointF at) const { return (at - origin) * zoom; }
    [[nodiscard]] QPointF toScene(QPointF logical) const { return logical / zoom + origin; }
    /// Rounds to whole device pixels, so that adjacent boxes share their edges.
    [[nodiscard]] QRect toDevice(const QRectF& box) const;
    /// Convert between logical pixels and the device pixels that cover them.
    [[nodiscard]] QRect pixelsOf(const QRect& logical) const; ///< device pixels that cover it
    [[nodiscard]] QRect logicalOf(const QRect& pixels) const; ///< logical pixels that cover it

    /// Converts units to whole device pixels, at least one.
    [[nodiscard]] int px(double units) const;
    /// Converts logical pixels, independent of the zoom, to device pixels.
    [[nodiscard]] int fixed(double logical) const;
    /// True if the zoom is large enough for all text, or too small for any.
    [[nodiscard]] bool isNear() const { return zoom >= tokens().sizes.zoom.text; }
    [[nodiscard]] bool isFar() const { return zoom < tokens().sizes.zoom.blocks; } ///< no text
};

/// State of the interaction, drawn on top of the design.
struct CanvasState {
    std::set<LayerId> selected;      ///< drawn with a ring
    LayerId hovered;                 ///< under the pointer
    LayerId focused;                 ///< by keyboard
    std::optional<Wire> wire;        ///< the selected wire
    std::optional<Wire> hoveredWire; ///< under the pointer
    std::optional<QRectF> band;      ///< the rubber band of the selection
    QPolygonF lasso;                 ///< a freehand selection
    QPolygonF cut;                   ///< a line that cuts the wires it crosses
    std::vector<QLineF> guides;  ///< lines that show the alignment of a dragged layer with others
    bool isDragging = false;     ///< the selection is being dragged
    std::optional<ItemRef> item; ///< the selected frame, comment or reroute point
    /// A label at the pointer: the value of a wire, or why an action is refused.
    struct Tag {
        QPointF at;
        QString text;
        bool isRefusal = false; ///< drawn in the error colour
    };
    std::optional<Tag> tag; ///< label at the pointer: a value, or a reason
    /// A wire being drawn from a port to the pointer, and the port it would connect to.
    struct Drag {
        LayerId layer;          ///< where the wire starts
        QString port;           ///< where the wire starts
        bool fromOutput = true; ///< `port` is an output
        QPointF to;             ///< position of the pointer
        LayerId target;         ///< layer under the pointer; invalid: none
        QString targetPort;     ///< port that the wire would connect to
        QString refusal;        ///< why the wire cannot end at the pointer
        QStringList legal;      ///< "layer id/port" of the ports that the wire can connect to
    };
    std::optional<Drag> drag; ///< a wire being drawn
    /// Layers with measured times. The live picture draws these times, so this painter leaves their
    /// area free.
    std::set<LayerId> measured; ///< layers whose time the live picture draws
    double longest = 0; ///< seconds of the slowest measured layer: the length of the longest bar
    bool isRun = false; ///< a run is shown: times take precedence over shapes
    /// Maps a collective's name to the part of its time that no computation hides. Collectives that
    /// are not in the map are unknown.
    struct Exposure {
        std::string kind;        ///< such as "all-gather"
        double share = 0;        ///< exposed fraction of the collective's time
        double seconds = 0;      ///< exposed seconds per step
        bool isMeasured = false; ///< false: predicted
        bool operator==(const Exposure&) const = default;
    };
    std::map<std::string, Exposure> exposures; ///< by the collective's name
    std::map<LayerId, QImage> atoms; ///< pictures of the dictionaries that the shown run learns
};

class CanvasPainter {
public:
    /// Paints everything inside `exposed` (device pixels).
    void paint(QPainter& painter, const DisplayList& list, const Viewport& viewport,
               const CanvasState& state, const Theme& theme, const QRect& exposed);

private:
    struct Frame; ///< arguments of one call of paint
    void paintGrid(Frame& to);
    void paintFrames(Frame& to);
    void paintWire(Frame& to, const WireView& wire);
    void paintReroutes(Frame& to, const WireView& wire, const QColor& colour);
    void paintBadge(Frame& to, const BadgeView& badge);    ///< placement change on a wire
    void paintSync(Frame& to, const SyncView& sync);       ///< badge of a gradient's reduction
    void paintDictionary(Frame& to, const SyncView& sync); ///< learnt atoms beside a sync
    void paintExposure(Frame& to, const BadgeView& badge, QPoint place); ///< exposed time
    void paintNode(Frame& to, const NodeView& node);
    void drawDashedBorder(Frame& to, const QRect& box);
    void paintFar(Frame& to, const NodeView& node, const QRect& box);   ///< zoomed out
    void paintBody(Frame& to, const NodeView& node, const QRect& box);  ///< the box itself
    void paintRings(Frame& to, const NodeView& node, const QRect& box); ///< selection and focus
    void paintNear(Frame& to, const NodeView& node, const QRect& box);  ///< with all texts
    void paintHeader(Frame& to, const NodeView& node, const QRect& box);
    void paintValues(Frame& to, const NodeView& node, const QRect& box); ///< x · W → y, as drawings
    void paintMiddle(Frame& to, const NodeView& node, const QRect& box); ///< at middle zoom
    void paintBars(Frame& to, const NodeView& node, const QRect& box);   ///< predicted time
    void paintProof(Frame& to, const NodeView& node, const QRect& box);
    void paintProblem(Frame& to, const NodeView& node, const QRect& box); ///< text and fix
    void paintPorts(Frame& to, const NodeView& node);
    void paintInteraction(Frame& to); ///< bands, guides and labels above everything
    void paintDrag(Frame& to, const CanvasState::Drag& drag);
    void paintTag(Frame& to, QPointF at, const QString& text, bool isRefusal);
    void paintItemRing(Frame& to, const QRect& box); ///< selection ring of a frame or comment

    GlyphText text_;
};

} // namespace weft::ui
