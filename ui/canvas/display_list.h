// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What stands on the canvas, ready to paint: made whole from a design and its check, then never
// changed, so that painting, hit tests and accessibility read it without asking anybody. Positions
// are in the design's units, one of which is a logical pixel at 100 %.

#include "widgets/value_drawing.h"
#include <weft/design.h>
#include <weft/diagnostics.h>

#include <QPointF>
#include <QRectF>
#include <QString>
#include <QStringList>
#include <unordered_map>
#include <vector>

namespace weft::ui {

struct PortView {
    QString name;
    QPointF at;
    bool isInput = false;
};

/// A problem as a node shows it.
struct MarkView {
    Severity severity = Severity::note;
    QString text;
    QString fix;             ///< empty: none to click
    std::size_t problem = 0; ///< its place among the check's
};

struct NodeView {
    LayerId id;
    QString name;
    QString kind;
    QString icon;
    QString category;
    QRectF box;
    bool isCompact = false;
    bool isMuted = false;
    bool isBypassed = false;
    bool isGroup = false;
    std::int64_t repeat = 1;
    QString assignment; ///< "data ×4"
    QString glyph;      ///< of the assignment, under resources/icons
    QString shape;
    QString parameters;
    bool isReduced = false; ///< its gradient travels
    double predicted = 0;   ///< seconds per step; 0: not known
    ValueDrawing x, weight, y;
    std::vector<MarkView> marks; ///< worst first
    std::vector<PortView> ports;
};

struct BadgeView {
    QString kind; ///< "all-gather"
    QString label;
    ValueDrawing before, after;
    std::vector<int> devices; ///< palette slots
    QPointF at;
    double exposed = 1;  ///< share of its time that nothing hides
    bool isFree = false; ///< a change that moves nothing: an open ring
};

struct WireView {
    Wire wire;
    std::vector<QPointF> line; ///< flattened, at 100 %
    QRectF box;
    int thickness = 1;
    bool isOff = false; ///< leads through or out of what is muted
    int badge = -1;
};

struct FrameView {
    QString title;
    QRectF box;
    std::size_t index = 0;
};

struct CommentView {
    QString text;
    QPointF at;
    std::size_t index = 0;
};

class DisplayList {
public:
    std::vector<NodeView> nodes;
    std::vector<WireView> wires;
    std::vector<BadgeView> badges;
    std::vector<FrameView> frames;
    std::vector<CommentView> comments;
    double longest = 0; ///< predicted seconds of the slowest node: the scale of all bars

    /// Once all is in place.
    void index();
    [[nodiscard]] const NodeView* node(LayerId id) const;
    [[nodiscard]] QRectF bounds() const { return bounds_; }
    /// In the order of painting.
    [[nodiscard]] std::vector<int> nodesIn(const QRectF& area) const;
    [[nodiscard]] std::vector<int> wiresIn(const QRectF& area) const;

    /// The topmost node at a point, or nullptr.
    [[nodiscard]] const NodeView* nodeAt(QPointF at) const;
    /// The nearest port within `reach`, with its node.
    struct PortHit {
        const NodeView* node = nullptr;
        const PortView* port = nullptr;
    };
    [[nodiscard]] PortHit portAt(QPointF at, double reach) const;
    [[nodiscard]] const WireView* wireAt(QPointF at, double reach) const;
    [[nodiscard]] const FrameView* frameAt(QPointF at) const;

private:
    /// Numbers of things by the cells that their boxes touch.
    struct Grid {
        std::unordered_map<std::int64_t, std::vector<int>> cells;
        void add(const QRectF& box, int number);
        [[nodiscard]] std::vector<int> in(const QRectF& area) const;
    };
    Grid nodeGrid_;
    Grid wireGrid_;
    std::unordered_map<std::uint32_t, int> numbers_;
    QRectF bounds_;
};

} // namespace weft::ui
