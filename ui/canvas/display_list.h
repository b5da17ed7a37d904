// SPDX-License-Identifier: Apache-2.0
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
#include <optional>
#include <string>
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
    Diagnostic problem;
    QString text;
    QString fix;          ///< what would mend it
    bool canMend = false; ///< it is done by a click on it
    [[nodiscard]] Severity severity() const { return problem.severity; }
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
    bool isPinned = false;
    bool isGroup = false;
    std::int64_t repeat = 1;
    QString assignment; ///< "data ×4"
    QString glyph;      ///< of the assignment, under resources/icons
    QString shape;
    QString parameters;
    /// For a layer with a network per batch element: device slots of the sheets behind the node,
    /// front first; -1: the same device.
    std::vector<int> sheets;
    /// What it says of itself under the pointer.
    std::vector<std::pair<QString, QString>> fields;
    bool isReduced = false; ///< its gradient travels
    double predicted = 0;   ///< seconds per step; 0: not known
    /// Between what it may lie, by how sure the rates are; both 0: nobody knows.
    double predictedLow = 0;
    double predictedHigh = 0;
    bool isOlder = false; ///< what is predicted is of the design before the last edit
    bool isAway = false;  ///< the device whose view this is has no part in it
    /// Largest difference from one device, where that was proved; below 0: it was not.
    double difference = -1;
    bool isProved = false; ///< the difference is within what rounding explains
    ValueDrawing x, weight, y;
    std::vector<MarkView> marks; ///< worst first
    std::vector<PortView> ports;

    [[nodiscard]] bool hasError() const;
    /// Whether a measured time is none that was predicted as possible.
    [[nodiscard]] bool isOutside(double measured) const {
        return predictedHigh > predictedLow &&
               (measured < predictedLow || measured > predictedHigh);
    }
    /// Where the name stands, by which it is edited in place.
    [[nodiscard]] QRectF titleBox() const;
    /// Where the fix of its problem stands; empty where none is shown.
    [[nodiscard]] QRectF fixBox() const;
};

struct BadgeView {
    std::string name; ///< as plans call it: "conv5.y -> fc6.x"
    QString kind;     ///< "all-gather"
    QString glyph;    ///< under resources/icons
    QString label;
    ValueDrawing before, after;
    std::vector<int> devices; ///< palette slots
    QPointF at;
    QString often;        ///< of a sync: "once in 3 updates"
    bool isFree = false;  ///< a change that moves nothing: an open ring
    bool isBare = false;  ///< nothing is written beside it, for want of room
    bool isOlder = false; ///< its time is of the design before the last edit
};

/// A badge there, with its strands and its label, roughly.
[[nodiscard]] QRectF boxOfBadge(QPointF at);

/// How a layer learns over a period, beside it: a picture of the plan, no part of the design.
struct SyncView {
    LayerId layer;
    QPointF from; ///< on the layer's edge, where its dashed line begins
    QString form; ///< of a dictionary that it learns: "64×1×8×8"; empty: it learns none
    QRectF tile;  ///< where that is drawn, before the badge; empty: there is no room
    BadgeView badge;
    [[nodiscard]] QRectF box() const;
};

struct WireView {
    Wire wire;
    std::vector<QPointF> via;  ///< reroute points, in order
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
    /// Its upper edge, by which it is moved; the title stands in it.
    [[nodiscard]] QRectF header() const;
    /// As wide as the title, roughly.
    [[nodiscard]] QRectF titleBox() const;
};

struct CommentView {
    QString text;
    QPointF at;
    std::size_t index = 0;
    /// Around its lines, roughly.
    [[nodiscard]] QRectF box() const;
};

/// A frame or a comment, by its place in the network's list, or a point that a wire is led
/// through, by its place on the wire.
struct ItemRef {
    enum class Kind : std::uint8_t { frame, comment, reroute };
    Kind kind = Kind::comment;
    std::size_t index = 0;
    Endpoint wire = {}; ///< where it ends
    bool operator==(const ItemRef&) const = default;
};

class DisplayList {
public:
    std::string group; ///< whose inside this is; empty: the top level
    std::vector<NodeView> nodes;
    std::vector<WireView> wires;
    std::vector<BadgeView> badges;
    std::vector<SyncView> syncs;
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
    [[nodiscard]] const CommentView* commentAt(QPointF at) const;
    /// The wire whose badge is there.
    [[nodiscard]] const WireView* badgeAt(QPointF at) const;
    [[nodiscard]] const SyncView* syncAt(QPointF at) const;
    [[nodiscard]] std::optional<ItemRef> rerouteAt(QPointF at, double reach) const;
    [[nodiscard]] bool has(const ItemRef& item) const;
    /// nullptr where it is no more.
    [[nodiscard]] const FrameView* frame(std::size_t index) const;
    [[nodiscard]] const CommentView* comment(std::size_t index) const;

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
