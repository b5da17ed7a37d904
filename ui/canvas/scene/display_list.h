// SPDX-License-Identifier: Apache-2.0
#pragma once
// The drawable content of a canvas, built from a design and its check and immutable afterwards, so
// that painting, hit tests and accessibility can read it without other state. Positions are in the
// design's units; one unit is a logical pixel at 100 %.

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

/// A problem shown on a node.
struct ProblemView {
    Diagnostic problem; ///< as the check reported it
    QString text;
    QString fix;          ///< text of the fix
    bool canMend = false; ///< a click applies the fix
    [[nodiscard]] Severity severity() const { return problem.severity; }
};

struct NodeView {
    LayerId id;
    QString name;
    QString kind;
    QString icon;     ///< under resources/icons
    QString category; ///< category of the kind; decides the icon's colour
    QRectF box;
    bool isCompact = false;  ///< one line high
    bool isMuted = false;    ///< left out of the network
    bool isBypassed = false; ///< passes its input on
    bool isPinned = false;   ///< automatic layout does not move it
    bool isGroup = false;
    std::int64_t repeat = 1; ///< number of copies of a group
    QString assignment;      ///< such as "data ×4"
    QString glyph;           ///< icon of the assignment, under resources/icons
    QString shape;           ///< shape of the output
    QString parameters;      ///< number or shape of parameters
    /// For a layer with one network per batch element: palette indices of the devices of the sheets
    /// behind the node, front first; -1: the layer's own device.
    std::vector<int> sheets; ///< palette indices of the devices behind the node; -1: its own device
    std::vector<std::pair<QString, QString>> fields; ///< names and values shown on the hover card
    bool isReduced = false;                          ///< its gradient is reduced over devices
    double predicted = 0;                            ///< seconds per step; 0: unknown
    double predictedLow = 0;                         ///< seconds; 0: unknown
    double predictedHigh = 0;                        ///< seconds; 0: unknown
    bool isOlder = false;      ///< the prediction belongs to the design before the last edit
    bool isAway = false;       ///< the device whose view is shown has no part of this layer
    double difference = -1;    ///< largest difference from one device in a proof; -1: not proved
    bool isProved = false;     ///< the difference is within rounding error
    ValueDrawing x, weight, y; ///< how each is distributed over the devices
    std::vector<ProblemView> marks; ///< most severe first
    std::vector<PortView> ports;

    [[nodiscard]] bool hasError() const;
    /// Returns true if a measured time lies outside the predicted range.
    [[nodiscard]] bool isOutside(double measured) const {
        return predictedHigh > predictedLow &&
               (measured < predictedLow || measured > predictedHigh);
    }
    [[nodiscard]] QRectF titleBox() const; ///< box of the name, where it is edited in place
    [[nodiscard]] QRectF fixBox() const; ///< box of the first problem's fix; empty if none is shown
};

struct BadgeView {
    std::string name;           ///< name in the plan: "conv5.y -> fc6.x"
    QString kind;               ///< such as "all-gather"
    QString glyph;              ///< icon under resources/icons
    QString label;              ///< text beside the badge
    ValueDrawing before, after; ///< the value's distribution over the devices
    std::vector<int> devices;   ///< indices of the device palette
    QPointF at;
    QString often;        ///< for a sync: "once in 3 updates"
    bool isFree = false;  ///< a change of placement without communication: drawn as an open ring
    bool isBare = false;  ///< drawn without label for lack of room
    bool isOlder = false; ///< its time belongs to the design before the last edit
};

/// Returns the approximate box of a badge at this position with its strands and its label.
[[nodiscard]] QRectF boxOfBadge(QPointF at);

/// The badge beside a layer that shows how its gradient is accumulated and reduced. It shows the
/// plan and is no part of the design.
struct SyncView {
    LayerId layer;   ///< whose gradient it is
    QPointF from;    ///< start of its dashed line on the layer's edge
    QString form;    ///< shape of the learned dictionary, "64×1×8×8"; empty: no dictionary
    QRectF tile;     ///< box of the dictionary's picture, before the badge; empty: no room
    BadgeView badge; ///< the reduction of the gradient
    [[nodiscard]] QRectF box() const;
};

struct WireView {
    Wire wire;
    std::vector<QPointF> via;  ///< reroute points, in order
    std::vector<QPointF> line; ///< flattened, at 100 %
    QRectF box;
    int thickness = 1;  ///< in device pixels, by the size of the value
    bool isOff = false; ///< connects to a muted layer
    int badge = -1;     ///< index in DisplayList::badges; -1: none
};

struct FrameView {
    QString title;
    QRectF box;
    std::size_t index = 0;
    /// The upper edge with the title, which moves the frame when dragged.
    [[nodiscard]] QRectF header() const;
    [[nodiscard]] QRectF titleBox() const; ///< approximate box of the title
};

struct CommentView {
    QString text;
    QPointF at;
    std::size_t index = 0;
    [[nodiscard]] QRectF box() const; ///< approximate box of the text
};

/// Refers to a frame or comment by its index in the network's list, or to a reroute point by its
/// index on the wire.
struct ItemRef {
    enum class Kind : std::uint8_t { frame, comment, reroute };
    Kind kind = Kind::comment;
    std::size_t index = 0;
    Endpoint wire = {}; ///< the wire's end, for a reroute point
    bool operator==(const ItemRef&) const = default;
};

class DisplayList {
public:
    std::string group; ///< name of the shown group; empty: the top level
    std::vector<NodeView> nodes;
    std::vector<WireView> wires;   ///< in painting order
    std::vector<BadgeView> badges; ///< collectives on wires
    std::vector<SyncView> syncs;   ///< reductions of gradients
    std::vector<FrameView> frames;
    std::vector<CommentView> comments;
    double longest = 0; ///< predicted seconds of the slowest node: the length of the longest bar

    void buildIndices(); ///< for searches; called once, after all items are added
    [[nodiscard]] const NodeView* node(LayerId id) const;   ///< nullptr: none
    [[nodiscard]] QRectF bounds() const { return bounds_; } ///< box of everything
    /// Return indices in painting order.
    [[nodiscard]] std::vector<int> nodesIn(const QRectF& area) const; ///< indices in painting order
    [[nodiscard]] std::vector<int> wiresIn(const QRectF& area) const; ///< indices in painting order

    [[nodiscard]] const NodeView* nodeAt(QPointF at) const; ///< topmost; nullptr: none
    /// The nearest port within `reach`, with its node.
    struct PortHit {
        const NodeView* node = nullptr;
        const PortView* port = nullptr;
    };
    [[nodiscard]] PortHit portAt(QPointF at, double reach) const; ///< nearest within `reach`
    [[nodiscard]] const WireView* wireAt(QPointF at,
                                         double reach) const; ///< nearest within `reach`
    [[nodiscard]] const FrameView* frameAt(QPointF at) const;
    [[nodiscard]] const CommentView* commentAt(QPointF at) const;
    [[nodiscard]] const WireView* badgeAt(QPointF at) const; ///< the wire whose badge is here
    [[nodiscard]] const SyncView* syncAt(QPointF at) const;  ///< nullptr: none
    [[nodiscard]] std::optional<ItemRef> rerouteAt(QPointF at, double reach) const;
    [[nodiscard]] bool has(const ItemRef& item) const; ///< the item still exists
    /// Return nullptr if there is no such item any more.
    [[nodiscard]] const FrameView* frame(std::size_t index) const;     ///< nullptr: no longer there
    [[nodiscard]] const CommentView* comment(std::size_t index) const; ///< nullptr: no longer there

private:
    /// Spatial index: maps grid cells to the items whose boxes touch them.
    struct Grid {
        std::unordered_map<std::int64_t, std::vector<int>> cells; ///< item indices by grid cell
        void add(const QRectF& box, int number);                  ///< `number`: index of the item
        [[nodiscard]] std::vector<int> itemsTouching(const QRectF& area) const;
    };
    Grid nodeGrid_;
    Grid wireGrid_;
    std::unordered_map<std::uint32_t, int> nodeIndices_; ///< by layer id
    QRectF bounds_;                                      ///< box of everything
};

} // namespace weft::ui
