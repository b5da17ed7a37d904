// SPDX-License-Identifier: Apache-2.0
#pragma once
// What changes while a run lives, drawn above the canvas: measured times, heat, activations, and
// what differs between two designs. The canvas below is kept as a picture, so that a tick paints
// nothing but the nodes that changed.

#include "canvas/canvas_painter.h"
#include "canvas/heat_sheet.h"
#include <weft/design_file.h>

#include <QImage>
#include <QRegion>
#include <QTimer>
#include <functional>
#include <map>
#include <optional>

class QWidget;

namespace weft::ui {

/// What colours and rulers show.
enum class Lens : std::uint8_t { parallelism, time, critical, activations, difference };

struct LiveNode {
    double measured = 0;    ///< seconds of a step; 0: not measured
    bool isPast = false;    ///< measured before the layer became what it is
    QImage activation = {}; ///< of the observed step
    std::optional<ChangeSort> change = {};
    bool isCritical = false; ///< a step is as long as it is because of it
    bool isRunning = false;  ///< right now, and for a while
    bool operator==(const LiveNode& other) const {
        return measured == other.measured && isPast == other.isPast &&
               activation.cacheKey() == other.activation.cacheKey() && change == other.change &&
               isCritical == other.isCritical && isRunning == other.isRunning;
    }
};

/// A layer that only the other design has.
struct RemovedNode {
    QString name;
    QRectF box;
    bool operator==(const RemovedNode&) const = default;
};

class LivePicture {
public:
    explicit LivePicture(QWidget& view);

    [[nodiscard]] Lens lens() const { return lens_; }
    void setLens(Lens lens);
    [[nodiscard]] const std::map<LayerId, LiveNode>& nodes() const { return nodes_; }
    /// Asks the view to paint what has become another; `list` and `at` are what it shows.
    void setNodes(std::map<LayerId, LiveNode> nodes, const DisplayList& list,
                  const Viewport& viewport);
    void setRemoved(std::vector<RemovedNode> removed);
    /// Whether there is anything to draw.
    [[nodiscard]] bool isOn() const { return lens_ != Lens::parallelism || !nodes_.empty(); }

    /// Device pixels. `still` paints the canvas itself.
    using PaintStill = std::function<void(QPainter& painter, const QRect& exposed)>;
    struct Scene {
        const DisplayList& list;
        const Viewport& at;
        const CanvasState& state;
        const Theme& theme;
    };
    void paint(QPainter& painter, const QRegion& exposed, QSize size, const Scene& scene,
               const PaintStill& still);
    /// What is kept of the canvas is not what it looks like any more.
    void forget() { isKept_ = false; }
    /// Only what stands above the canvas.
    void draw(QPainter& painter, const QRect& exposed, const Scene& scene);

private:
    /// What a node draws outside its box: marks.
    static constexpr int rim = 12;

    /// What a layer's heat says: it is painted anew only where that becomes another.
    struct Heat {
        LayerId id;
        int step = 0;       ///< of the greys
        QString share = {}; ///< of the whole step; empty from afar, as the time is
        QString time = {};
        bool isPast = false;
        bool isRunning = false;
        bool operator==(const Heat&) const = default;
    };
    [[nodiscard]] Heat heatOf(const NodeView& node, const LiveNode& live, const Viewport& viewport);
    const QString& shareText(double share);
    const QString& predictedText(int number, double seconds);
    [[nodiscard]] QRegion changedHeat(const DisplayList& list, const Viewport& viewport);
    [[nodiscard]] QRegion changedNodes(const std::map<LayerId, LiveNode>& nodes,
                                       const DisplayList& list, const Viewport& viewport) const;
    void paintBelow(QPainter& painter, const QRect& exposed, const Scene& scene,
                    const PaintStill& still) const;
    void drawNode(QPainter& painter, const Scene& scene, int number, const LiveNode& live);
    void drawTime(QPainter& painter, const Scene& scene, const NodeView& node, const LiveNode& live,
                  const QRect& box);
    /// `to`: a painter, or the sheet.
    template <class To>
    void drawHeat(To& to, const Scene& scene, int number, const LiveNode& live);
    void paintedHeat(QPainter& painter, const Scene& scene, int number, const LiveNode& live);
    /// Into the sheet; what is exposed of it is right afterwards.
    void paintHeat(const QRect& exposed, const Scene& scene, const PaintStill& still);
    void heatWithin(QPainter& into, const QRect& clip, const Scene& scene);
    void heatChanged(QPainter& into, const Scene& scene);
    void findCrowd(const Scene& scene);
    void drawActivation(QPainter& painter, const Scene& scene, const NodeView& node,
                        const LiveNode& live, const QRect& box) const;
    void drawChange(QPainter& painter, const Scene& scene, const QRect& box, ChangeSort change);
    static void drawRunning(QPainter& painter, const Scene& scene, const QRect& box);
    void drawCritical(QPainter& painter, const QRect& exposed, const Scene& scene) const;
    [[nodiscard]] bool isCritical(LayerId layer) const;
    void drawRemoved(QPainter& painter, const QRect& exposed, const Scene& scene);

    QWidget& view_;
    Lens lens_ = Lens::parallelism;
    std::map<LayerId, LiveNode> nodes_;
    std::vector<RemovedNode> removed_;
    double sum_ = 0;         ///< of all measured seconds
    double most_ = 0;        ///< of one node
    std::vector<Heat> heat_; ///< by number in the list, of those that were in view; else empty
    GlyphText text_;
    QImage kept_;
    bool isKept_ = false;       ///< `kept_` is what the canvas looks like
    HeatSheet sheet_;           ///< the same with heat
    bool isSheet_ = false;      ///< but for what `hot_` says
    std::vector<int> hot_;      ///< numbers of nodes whose heat has become another
    std::vector<bool> crowd_;   ///< by number: what lies over others
    std::vector<QRect> marked_; ///< where marks stand in the sheet
    QHash<qint64, QString> shareTexts_;
    std::vector<std::pair<double, QString>> predictedTexts_; ///< by number
    bool wantsKeeping_ = false;
    QRegion tick_; ///< asked for since the last painting, by nothing but a tick
    QTimer rest_;
};

} // namespace weft::ui
