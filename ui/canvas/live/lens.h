// SPDX-License-Identifier: Apache-2.0
#pragma once
// A lens selects what the canvas shows on every layer besides the design. The lenses are listed in
// canvas/lenses; each canvas has its own objects of them.

#include "canvas/paint/canvas_painter.h"
#include <weft/design_file.h>

#include <QImage>
#include <QStringList>
#include <functional>
#include <map>
#include <memory>
#include <optional>

namespace weft {
struct Timeline;
}

namespace weft::ui {

class LiveFeed;
struct RunGrowth;

/// What is shown on a layer. A layer is repainted when this changes.
struct LiveNode {
    double measured = 0;                   ///< seconds per step; 0: not measured
    bool isPast = false;                   ///< measured before the layer was edited
    QImage activation = {};                ///< the layer's output in the observed step; null: none
    std::optional<ChangeSort> change = {}; ///< since the design it is compared with
    bool isCritical = false;               ///< the layer is on the critical path
    bool isRunning = false;                ///< now or within the last moment
    bool operator==(const LiveNode&) const = default;
};
using LiveNodes = std::map<LayerId, LiveNode>; ///< by layer; layers without live data are absent

struct LiveScene {
    const DisplayList& list; ///< what the canvas shows
    const Viewport& viewport;
    const CanvasState& state; ///< selection, drag and other interaction
    const Theme& theme;
};

/// The canvas below the live data.
struct CanvasBackground {
    const QImage* picture = nullptr; ///< cached picture; nullptr: call `paint`
    int pictureNumber = 0;           ///< increases with each new picture
    std::function<void(QPainter& painter, const QRect& exposed)> paint;
};

struct LensInfo {
    QString id; ///< the command is lens.<id>
    QString title;
    QString help;
    bool hasCommand = true; ///< false: needs more than its id, as a design to compare with
};

/// By default a lens shows the measured times and nothing else.
class Lens {
public:
    explicit Lens(LensInfo made) : info(std::move(made)) {}
    virtual ~Lens() = default;
    Lens(const Lens&) = delete;
    Lens& operator=(const Lens&) = delete;

    virtual void start(LiveFeed& /*feed*/) {} ///< the lens is chosen
    virtual void stop() {}                    ///< another lens is chosen
    /// The shown run has grown, or another one is shown.
    virtual void grow(LiveFeed& /*feed*/, const RunGrowth& /*growth*/) {}
    /// The step that is shown, empty if there is none. A measured one follows the predicted one.
    virtual void takeStep(const Timeline& /*step*/) {} ///< the shown step; empty: none
    /// Adds to the nodes what the lens shows; called after every edit, check and tick of the run.
    virtual void fill(LiveFeed& /*feed*/, LiveNodes& /*nodes*/) {}

    /// What the page says above the canvas while the lens is chosen, line by line.
    [[nodiscard]] virtual QStringList captionLines() const { return {}; } ///< above the canvas

    enum class Dimming { nothing, allButEmphasised, all }; ///< what is drawn fainter
    /// Which part of the canvas steps back. `allButEmphasised` dims nothing if no layer is
    /// emphasised.
    [[nodiscard]] virtual Dimming dimming() const { return Dimming::nothing; }
    /// True if the layer is not dimmed.
    [[nodiscard]] virtual bool isEmphasised(const LiveNode& /*node*/) const { return false; }
    [[nodiscard]] virtual bool drawsTimes() const { return true; } ///< measured times on nodes
    virtual void takeNodes(const LiveNodes& /*nodes*/) {}          ///< called before `needsRepaint`
    /// True if the node must be repainted. `before`, `now`: nullptr if nothing is shown on it.
    [[nodiscard]] virtual bool needsRepaint(const NodeView& node, int number,
                                            const Viewport& viewport, const LiveNode* before,
                                            const LiveNode* now);
    /// Draws what the lens shows on a node, below the measured time.
    virtual void drawNode(QPainter& /*painter*/, const LiveScene& /*scene*/, int /*number*/,
                          const LiveNode& /*live*/) {}
    /// Draws above all nodes.
    virtual void drawAboveNodes(QPainter& /*painter*/, const QRect& /*exposed*/,
                                const LiveScene& /*scene*/, const LiveNodes& /*nodes*/) {}
    /// Draws canvas and nodes into an image in which `exposed` is then up to date; nullptr: the
    /// lens draws node by node above the canvas.
    virtual const QImage* renderView(const QRect& /*exposed*/, QSize /*size*/,
                                     const LiveScene& /*scene*/, const LiveNodes& /*nodes*/,
                                     const CanvasBackground& /*background*/) {
        return nullptr;
    }
    /// Draws all of a node: what the lens shows, the measured time, and a mark if it runs.
    void drawWholeNode(QPainter& painter, const LiveScene& scene, int number, const LiveNode& live);

    static constexpr int markMargin = 12; ///< logical pixels that marks reach beyond a node's box

    const LensInfo info;

protected:
    /// Draws a disc with a sign at the corner of a node, of the same size at every zoom.
    static QPointF drawMark(QPainter& painter, const LiveScene& scene, const QRect& box,
                            const QColor& colour);
    GlyphText text_;

private:
    void drawTime(QPainter& painter, const LiveScene& scene, const NodeView& node,
                  const LiveNode& live, const QRect& box);
    static void drawRunning(QPainter& painter, const LiveScene& scene, const QRect& box); ///< mark
};

struct LensList {
    std::vector<std::unique_ptr<Lens>> lenses; ///< in the order of the menu
};

namespace lenses {
/// Written by CMake from the list in canvas/lenses/CMakeLists.txt.
void fill(LensList& list); ///< adds one object of each lens
} // namespace lenses

} // namespace weft::ui
