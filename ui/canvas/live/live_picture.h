// SPDX-License-Identifier: Apache-2.0
#pragma once
// Draws the changing data of a run above the canvas: measured times, heat, activations, and
// differences between two designs. The canvas below is cached as a picture, so that a tick repaints
// only the nodes that changed.

#include "canvas/live/heat_sheet.h"
#include "canvas/paint/canvas_painter.h"
#include <weft/design_file.h>

#include <QImage>
#include <QRegion>
#include <QTimer>
#include <functional>
#include <map>
#include <optional>

class QWidget;

namespace weft::ui {

/// Selects the data that colours and bars show.
enum class Lens : std::uint8_t { parallelism, time, critical, activations, difference };

struct LiveNode {
    double measured = 0;    ///< seconds per step; 0: not measured
    bool isPast = false;    ///< measured before the layer was edited
    QImage activation = {}; ///< from the observed step
    std::optional<ChangeSort> change = {};
    bool isCritical = false; ///< the layer is on the critical path
    bool isRunning = false;  ///< now or within the last moment
    bool operator==(const LiveNode& other) const {
        return measured == other.measured && isPast == other.isPast &&
               activation.cacheKey() == other.activation.cacheKey() && change == other.change &&
               isCritical == other.isCritical && isRunning == other.isRunning;
    }
};

/// A layer that exists only in the design to compare with.
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
    /// Schedules a repaint of the changed nodes; `list` and `viewport` describe what the view
    /// shows.
    void setNodes(std::map<LayerId, LiveNode> nodes, const DisplayList& list,
                  const Viewport& viewport);
    void setRemoved(std::vector<RemovedNode> removed);
    /// True if there is anything to draw.
    [[nodiscard]] bool isOn() const { return lens_ != Lens::parallelism || !nodes_.empty(); }

    /// Paints the canvas without live data; `exposed` is in device pixels.
    using PaintStill = std::function<void(QPainter& painter, const QRect& exposed)>;
    struct Scene {
        const DisplayList& list;
        const Viewport& at;
        const CanvasState& state;
        const Theme& theme;
    };
    void paint(QPainter& painter, const QRegion& exposed, QSize size, const Scene& scene,
               const PaintStill& still);
    /// Discards the cached picture of the canvas.
    void forget() { isKept_ = false; }
    /// Draws only the live data.
    void draw(QPainter& painter, const QRect& exposed, const Scene& scene);

private:
    /// Width of the marks that a node draws outside its box.
    static constexpr int rim = 12;

    /// The drawn heat of a layer; the layer is repainted only if this changes.
    struct Heat {
        LayerId id;
        int step = 0;       ///< index of the grey
        QString share = {}; ///< share of the whole step; empty when zoomed out, like the time
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
    /// `to`: a painter or the heat sheet.
    template <class To>
    void drawHeat(To& to, const Scene& scene, int number, const LiveNode& live);
    void paintedHeat(QPainter& painter, const Scene& scene, int number, const LiveNode& live);
    /// Draws into the sheet; afterwards the exposed part of the sheet is up to date.
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
    double sum_ = 0;         ///< sum of all measured seconds
    double most_ = 0;        ///< longest measured time of a node
    std::vector<Heat> heat_; ///< by node index, for visible nodes; else empty
    GlyphText text_;
    QImage kept_;
    bool isKept_ = false;       ///< `kept_` is up to date
    HeatSheet sheet_;           ///< the canvas with heat
    bool isSheet_ = false;      ///< the sheet is up to date except for `hot_`
    std::vector<int> hot_;      ///< indices of nodes whose heat has changed
    std::vector<bool> crowd_;   ///< by node index: true if the node overlaps others
    std::vector<QRect> marked_; ///< boxes of marks drawn into the sheet
    QHash<qint64, QString> shareTexts_;
    std::vector<std::pair<double, QString>> predictedTexts_; ///< by node index
    bool wantsKeeping_ = false;
    QRegion tick_; ///< region that ticks alone have asked to repaint since the last painting
    QTimer rest_;
};

} // namespace weft::ui
