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
    double measured = 0;    ///< seconds per step; 0: not measured
    bool isPast = false;    ///< measured before the layer was edited
    QImage activation = {}; ///< from the observed step
    std::optional<ChangeSort> change = {};
    bool isCritical = false; ///< the layer is on the critical path
    bool isRunning = false;  ///< now or within the last moment
    bool operator==(const LiveNode&) const = default;
};
using LiveNodes = std::map<LayerId, LiveNode>;

struct LiveScene {
    const DisplayList& list;
    const Viewport& viewport;
    const CanvasState& state;
    const Theme& theme;
};

/// The canvas below the live data.
struct CanvasBackground {
    const QImage* picture = nullptr; ///< its picture; nullptr: it must be painted
    int pictureNumber = 0;           ///< counts the pictures
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

    /// The lens is chosen: requests from the run what it shows.
    virtual void start(LiveFeed& /*feed*/) {}
    /// Another lens is chosen: ends its requests and drops caches.
    virtual void stop() {}
    /// The shown run has grown, or another one is shown.
    virtual void grow(LiveFeed& /*feed*/, const RunGrowth& /*growth*/) {}
    /// The step that is shown, empty if there is none. A measured one follows the predicted one.
    virtual void takeStep(const Timeline& /*step*/) {}
    /// Adds to the nodes what the lens shows; called after every edit, check and tick of the run.
    virtual void fill(LiveFeed& /*feed*/, LiveNodes& /*nodes*/) {}

    /// What the page says above the canvas while the lens is chosen, line by line.
    [[nodiscard]] virtual QStringList captionLines() const { return {}; }

    enum class Dimming { nothing, allButEmphasised, all };
    /// Which part of the canvas steps back. `allButEmphasised` dimming nothing if no layer is
    /// emphasised.
    [[nodiscard]] virtual Dimming dimming() const { return Dimming::nothing; }
    /// True if the layer is not dimmed.
    [[nodiscard]] virtual bool isEmphasised(const LiveNode& /*node*/) const { return false; }
    [[nodiscard]] virtual bool drawsTimes() const { return true; }
    /// Receives the nodes before `needsRepaint` is called for the visible ones.
    virtual void takeNodes(const LiveNodes& /*nodes*/) {}
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

    /// Width of the marks that a node draws outside its box.
    static constexpr int markMargin = 12;

    const LensInfo info;

protected:
    /// Draws a disc with a sign at the corner of a node, of the same size at every zoom.
    static QPointF drawMark(QPainter& painter, const LiveScene& scene, const QRect& box,
                            const QColor& colour);
    GlyphText text_;

private:
    void drawTime(QPainter& painter, const LiveScene& scene, const NodeView& node,
                  const LiveNode& live, const QRect& box);
    static void drawRunning(QPainter& painter, const LiveScene& scene, const QRect& box);
};

struct LensList {
    std::vector<std::unique_ptr<Lens>> lenses;
};

namespace lenses {
/// Written by CMake from the list in canvas/lenses/CMakeLists.txt.
void fill(LensList& list);
} // namespace lenses

} // namespace weft::ui
