// SPDX-License-Identifier: Apache-2.0
// The lens Time: each node's share of the step as a grey, and as text if there is room. On the
// screen it is cached in a sheet, in which a tick redraws only nodes whose grey or text changed.
#include "canvas/lenses/heat_image.h"
#include "canvas/live/lens.h"
#include "theme/blend.h"
#include "theme/quantity.h"
#include "widgets/shapes.h"

#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>

namespace weft::ui::lenses {

namespace {

// Opacity of ink for each grey step.
constexpr std::array greys{0.0, 0.1, 0.2, 0.32, 0.62, 0.76, 0.9};

double smallText(const Viewport& viewport) {
    return tokens().sizes.type.small * (viewport.isNear() ? viewport.scale() : viewport.ratio);
}

/// True if the box has no room for two lines.
bool isLow(const QRect& box, const Viewport& viewport) {
    return box.height() < 2.6 * smallText(viewport);
}

/// True if the node shows nothing but heat, so that it can be written into the sheet.
bool isPlain(const LiveNode& live) { return !live.isPast && !live.isRunning; }

/// Draws heat with a QPainter.
struct ByPainter {
    QPainter& painter;
    GlyphText& words;

    void fill(const QRect& box, const QColor& colour) { painter.fillRect(box, colour); }
    void paintBox(const QRect& box, int radius, const QColor& fill, const QColor& border,
                  int line) {
        drawBox(painter, box, radius, fill, border, line);
    }
    double paintText(QPointF at, const QString& text, TextRole role, double px,
                     const QColor& colour, const QColor&, TextAlign align) {
        return words.draw(painter, at, text, role, px, colour, align);
    }
};

struct ByLines {
    HeatImage& sheet;
    QPainter& painter; ///< paints into `sheet`
    GlyphText& words;

    void fill(const QRect& box, const QColor& colour) { sheet.fill(box, colour.rgb()); }
    void paintBox(const QRect& box, int radius, const QColor& fill, const QColor& border,
                  int line) {
        sheet.paintBox(box, radius, fill, border, line);
    }
    double paintText(QPointF at, const QString& text, TextRole role, double px,
                     const QColor& colour, const QColor& ground, TextAlign align) {
        if (const auto width = sheet.paintText(at, text, role, px, colour, ground, align)) {
            return *width;
        }
        painter.setClipRect(sheet.clip());
        return words.draw(painter, at, text, role, px, colour, align);
    }
};

class Time : public Lens {
public:
    using Lens::Lens;

    void stop() override {
        heat_.clear();
        sheet_ = {}; // frees an image as large as the view
        sheetOf_ = 0;
    }
    [[nodiscard]] Dimming dimming() const override { return Dimming::all; }
    [[nodiscard]] bool drawsTimes() const override { return false; }

    void takeNodes(const LiveNodes& nodes) override {
        sum_ = 0;
        most_ = 0;
        for (const auto& [id, node] : nodes) {
            sum_ += node.measured;
            most_ = std::max(most_, node.measured);
        }
        before_ = std::exchange(heat_, {});
        if (hot_.size() > nodes.size()) {
            sheetOf_ = 0; // the next painting rebuilds the sheet
            hot_.clear();
        }
    }

    /// A change of one layer's time changes all shares slightly, but rarely their rounded text.
    bool needsRepaint(const NodeView& node, int number, const Viewport& viewport,
                      const LiveNode* /*before*/, const LiveNode* now) override {
        const auto place = static_cast<std::size_t>(number);
        heat_.resize(std::max(heat_.size(), place + 1));
        if (now != nullptr) {
            heat_[place] = heatOf(node, *now, viewport);
        }
        const bool needsRepaint =
            (place < before_.size() ? before_[place] : Heat{}) != heat_[place];
        if (needsRepaint) {
            hot_.push_back(number);
        }
        return needsRepaint;
    }

    void drawNode(QPainter& painter, const LiveScene& scene, int number,
                  const LiveNode& live) override {
        if (live.isPast && !scene.viewport.isFar()) {
            // Hides the node below, because the heat of an outdated time is translucent.
            const double opacity = painter.opacity();
            const NodeView& node = scene.list.nodes[static_cast<std::size_t>(number)];
            painter.setOpacity(1);
            drawBox(painter, scene.viewport.toDevice(node.box),
                    scene.viewport.px(tokens().sizes.radius.node), scene.theme.surface.canvas,
                    scene.theme.line.normal, 1);
            painter.setOpacity(opacity);
        }
        ByPainter to{painter, text_};
        drawHeat(to, scene, number, live);
    }

    const QImage* renderView(const QRect& exposed, QSize size, const LiveScene& scene,
                             const LiveNodes& nodes, const CanvasBackground& background) override {
        sheet_.setSize(size);
        QImage& image = sheet_.image();
        QPainter into(&image);
        if (background.picture == nullptr) {
            into.setClipRect(exposed);
            background.paint(into, exposed);
            heatWithin(into, exposed, scene, nodes);
            sheetOf_ = 0;
        } else if (sheetOf_ != background.pictureNumber) {
            sheet_.setClip(image.rect());
            sheet_.restore(image.rect(), *background.picture);
            findCrowd(scene);
            heatWithin(into, image.rect(), scene, nodes);
            sheetOf_ = background.pictureNumber;
        } else {
            heatChanged(into, scene, nodes, *background.picture);
        }
        hot_.clear();
        return &image;
    }

private:
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

    /// Caches the text, since only few rounded shares differ.
    const QString& shareText(double share) {
        constexpr double manyPercent = 0.0995;
        const double unit = share < manyPercent ? 1e-3 : 1e-2;
        const double rounded = static_cast<double>(std::llround(share / unit)) * unit;
        QString& text = shareTexts_[std::llround(rounded * 1e4)];
        if (text.isEmpty()) {
            text = quantity::percent(rounded);
        }
        return text;
    }

    const QString& predictedText(int number, double seconds) {
        const auto place = static_cast<std::size_t>(number);
        predictedTexts_.resize(std::max(predictedTexts_.size(), place + 1));
        auto& [known, text] = predictedTexts_[place];
        if (known != seconds) {
            known = seconds;
            text = quantity::predicted(quantity::time(seconds)) + "  ";
        }
        return text;
    }

    Heat heatOf(const NodeView& node, const LiveNode& live, const Viewport& viewport) {
        Heat heat{.id = node.id, .isPast = live.isPast, .isRunning = live.isRunning};
        if (most_ > 0) {
            constexpr auto last = static_cast<int>(greys.size()) - 1;
            heat.step =
                std::clamp(static_cast<int>(std::ceil(live.measured / most_ * last)), 0, last);
        }
        if (sum_ > 0 && !viewport.isFar()) {
            heat.share = shareText(live.measured / sum_);
            heat.time = isLow(viewport.toDevice(node.box), viewport)
                            ? QString()
                            : quantity::time(live.measured);
        }
        return heat;
    }

    template <class To>
    void drawHeat(To& to, const LiveScene& scene, int number, const LiveNode& live) {
        if (sum_ <= 0 || most_ <= 0) {
            return;
        }
        const auto place = static_cast<std::size_t>(number);
        const NodeView& node = scene.list.nodes[place];
        const Viewport& viewport = scene.viewport;
        const QRect box = viewport.toDevice(node.box);
        // Recomputes the heat if it is unknown, or belongs to another list or zoom.
        const bool isKnown = place < heat_.size() && heat_[place].id == node.id &&
                             heat_[place].share.isEmpty() == viewport.isFar();
        const Heat heat = isKnown ? heat_[place] : heatOf(node, live, viewport);
        const double grey = greys[static_cast<std::size_t>(heat.step)];
        const QColor fill = blend(scene.theme.surface.field, scene.theme.accent.ink, grey);
        if (viewport.isFar()) {
            to.fill(box, fill);
            return;
        }
        const Sizes& sizes = tokens().sizes;
        constexpr double isInk = 0.5;
        const bool isLight = grey < isInk;
        const QColor& text = isLight ? scene.theme.text.primary : scene.theme.text.onInk;
        to.paintBox(box, viewport.px(sizes.radius.node), fill, scene.theme.line.strong,
                    viewport.fixed(1));
        const bool isLarge = viewport.isNear();
        const double px = smallText(viewport);
        const double name = isLarge ? sizes.type.label * viewport.scale() : px;
        const int inset = isLarge ? viewport.px(12) : viewport.px(6);
        const bool isOneLine = isLow(box, viewport);
        if (isOneLine && box.height() < px) {
            return;
        }
        const double base = isOneLine ? box.center().y() + px * 0.4 : box.top() + name * 1.5;
        const double taken = to.paintText(QPointF(box.right() - inset, base), heat.share,
                                          TextRole::mono, px, text, fill, TextAlign::right);
        const double room = box.width() - 3 * inset - taken;
        to.paintText(QPointF(box.left() + inset, base),
                     text_.elidedInMiddle(node.name, TextRole::sansSemibold, name, room),
                     TextRole::sansSemibold, name, text, fill, TextAlign::left);
        if (isOneLine) {
            return;
        }
        const QString words = isLarge && node.predicted > 0
                                  ? predictedText(number, node.predicted) + heat.time
                                  : heat.time;
        to.paintText(QPointF(box.right() - inset, box.bottom() - px * 0.7), words, TextRole::mono,
                     px, isLight ? scene.theme.text.secondary : text, fill, TextAlign::right);
    }

    void heatWithin(QPainter& into, const QRect& clip, const LiveScene& scene,
                    const LiveNodes& nodes) {
        sheet_.setClip(clip);
        into.setClipRect(sheet_.clip());
        into.setRenderHint(QPainter::Antialiasing, false);
        const double scale = scene.viewport.scale();
        const QRectF area(scene.viewport.origin + QPointF(clip.topLeft()) / scale,
                          QSizeF(clip.size()) / scale);
        const int reach = scene.viewport.fixed(markMargin);
        const QRect near = clip.adjusted(-reach, -reach, reach, reach);
        ByLines to{sheet_, into, text_};
        for (const int number : scene.list.nodesIn(area)) {
            const NodeView& node = scene.list.nodes[static_cast<std::size_t>(number)];
            const auto live = nodes.find(node.id);
            if (live == nodes.end() || !near.intersects(scene.viewport.toDevice(node.box))) {
                continue;
            }
            if (isPlain(live->second)) {
                drawHeat(to, scene, number, live->second);
            } else {
                drawWholeNode(into, scene, number, live->second);
            }
        }
    }

    void heatChanged(QPainter& into, const LiveScene& scene, const LiveNodes& nodes,
                     const QImage& kept) {
        const int reach = scene.viewport.fixed(markMargin);
        const int radius =
            scene.viewport.isFar() ? 0 : scene.viewport.px(tokens().sizes.radius.node);
        std::vector<QRect> marks;
        for (const auto& [id, live] : nodes) {
            const NodeView* node = live.isRunning ? scene.list.node(id) : nullptr;
            if (node != nullptr) {
                marks.push_back(
                    scene.viewport.toDevice(node->box).adjusted(-reach, -reach, reach, reach));
            }
        }
        const auto isUnder = [](const std::vector<QRect>& marks, const QRect& box) {
            return std::ranges::any_of(marks,
                                       [&](const QRect& mark) { return mark.intersects(box); });
        };
        ByLines to{sheet_, into, text_};
        for (const int number : hot_) {
            const auto place = static_cast<std::size_t>(number);
            const NodeView& node = scene.list.nodes[place];
            const QRect box = scene.viewport.toDevice(node.box);
            const auto live = nodes.find(node.id);
            const bool isAlone = live != nodes.end() && isPlain(live->second) && sum_ > 0 &&
                                 !crowd_[place] && !isUnder(marks, box) && !isUnder(marked_, box);
            if (isAlone) {
                sheet_.setClip(box);
                sheet_.restoreCorners(box, radius, kept);
                drawHeat(to, scene, number, live->second);
            } else {
                const QRect all = box.adjusted(-reach, -reach, reach, reach);
                sheet_.setClip(all);
                sheet_.restore(all, kept);
                heatWithin(into, all, scene, nodes);
            }
        }
        marked_ = std::move(marks);
    }

    /// Finds nodes that overlap others; for these nodes the neighbours are redrawn too.
    void findCrowd(const LiveScene& scene) {
        crowd_.assign(scene.list.nodes.size(), false);
        const double pixel = 1 / scene.viewport.scale();
        for (std::size_t k = 0; k < crowd_.size(); ++k) {
            const QRectF box = scene.list.nodes[k].box.adjusted(-pixel, -pixel, pixel, pixel);
            crowd_[k] = std::ranges::any_of(scene.list.nodesIn(box), [&](int other) {
                const auto place = static_cast<std::size_t>(other);
                return place != k && scene.list.nodes[place].box.intersects(box);
            });
        }
        marked_.clear();
    }

    double sum_ = 0;           ///< sum of all measured seconds
    double most_ = 0;          ///< longest measured time of a node
    std::vector<Heat> heat_;   ///< by node index, for visible nodes; else empty
    std::vector<Heat> before_; ///< the heat before the last tick
    HeatImage sheet_;          ///< the canvas with heat
    int sheetOf_ = 0;          ///< the picture that the sheet was made from; 0: none
    std::vector<int> hot_;    ///< indices of nodes whose heat has changed since the sheet was drawn
    std::vector<bool> crowd_; ///< by node index: true if the node overlaps others
    std::vector<QRect> marked_; ///< boxes of marks drawn into the sheet
    QHash<qint64, QString> shareTexts_;
    std::vector<std::pair<double, QString>> predictedTexts_; ///< by node index
};

} // namespace

void time(LensList& list) {
    list.lenses.push_back(std::make_unique<Time>(
        LensInfo{"time", QObject::tr("Time"),
                 QObject::tr("Shades each layer by its share of the step time")}));
}

} // namespace weft::ui::lenses
