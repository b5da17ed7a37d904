// SPDX-License-Identifier: Apache-2.0
// The lens Time: each node's share of the step as a grey, and as text if there is room. On the
// screen it is cached in a sheet, in which a tick redraws only nodes whose grey or text changed.
#include "canvas/live/live_picture.h"
#include "theme/blend.h"
#include "theme/quantity.h"
#include "widgets/shapes.h"

#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>

namespace weft::ui {

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
    void box(const QRect& box, int radius, const QColor& fill, const QColor& border, int line) {
        drawBox(painter, box, radius, fill, border, line);
    }
    double text(QPointF at, const QString& text, TextRole role, double px, const QColor& colour,
                const QColor&, TextAlign align) {
        return words.draw(painter, at, text, role, px, colour, align);
    }
};

struct ByLines {
    HeatSheet& sheet;
    QPainter& painter; ///< paints into the sheet
    GlyphText& words;

    void fill(const QRect& box, const QColor& colour) { sheet.fill(box, colour.rgb()); }
    void box(const QRect& box, int radius, const QColor& fill, const QColor& border, int line) {
        sheet.box(box, radius, fill, border, line);
    }
    double text(QPointF at, const QString& text, TextRole role, double px, const QColor& colour,
                const QColor& ground, TextAlign align) {
        if (const auto width = sheet.text(at, text, role, px, colour, ground, align)) {
            return *width;
        }
        painter.setClipRect(sheet.clip());
        return words.draw(painter, at, text, role, px, colour, align);
    }
};

} // namespace

/// Caches the text, since only few rounded shares differ.
const QString& LivePicture::shareText(double share) {
    constexpr double manyPercent = 0.0995;
    const double unit = share < manyPercent ? 1e-3 : 1e-2;
    const double rounded = static_cast<double>(std::llround(share / unit)) * unit;
    QString& text = shareTexts_[std::llround(rounded * 1e4)];
    if (text.isEmpty()) {
        text = quantity::percent(rounded);
    }
    return text;
}

const QString& LivePicture::predictedText(int number, double seconds) {
    const auto place = static_cast<std::size_t>(number);
    predictedTexts_.resize(std::max(predictedTexts_.size(), place + 1));
    auto& [known, text] = predictedTexts_[place];
    if (known != seconds) {
        known = seconds;
        text = quantity::predicted(quantity::time(seconds)) + "  ";
    }
    return text;
}

LivePicture::Heat LivePicture::heatOf(const NodeView& node, const LiveNode& live,
                                      const Viewport& viewport) {
    Heat heat{.id = node.id, .isPast = live.isPast, .isRunning = live.isRunning};
    if (most_ > 0) {
        constexpr auto last = static_cast<int>(greys.size()) - 1;
        heat.step = std::clamp(static_cast<int>(std::ceil(live.measured / most_ * last)), 0, last);
    }
    if (sum_ > 0 && !viewport.isFar()) {
        heat.share = shareText(live.measured / sum_);
        heat.time = isLow(viewport.toDevice(node.box), viewport) ? QString()
                                                                 : quantity::time(live.measured);
    }
    return heat;
}

template <class To>
void LivePicture::drawHeat(To& to, const Scene& scene, int number, const LiveNode& live) {
    if (sum_ <= 0 || most_ <= 0) {
        return;
    }
    const auto place = static_cast<std::size_t>(number);
    const NodeView& node = scene.list.nodes[place];
    const Viewport& viewport = scene.at;
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
    to.box(box, viewport.px(sizes.radius.node), fill, scene.theme.line.strong, viewport.fixed(1));
    const bool isLarge = viewport.isNear();
    const double px = smallText(viewport);
    const double name = isLarge ? sizes.type.label * viewport.scale() : px;
    const int inset = isLarge ? viewport.px(12) : viewport.px(6);
    const bool isOneLine = isLow(box, viewport);
    if (isOneLine && box.height() < px) {
        return;
    }
    const double base = isOneLine ? box.center().y() + px * 0.4 : box.top() + name * 1.5;
    const double taken = to.text(QPointF(box.right() - inset, base), heat.share, TextRole::mono, px,
                                 text, fill, TextAlign::right);
    const double room = box.width() - 3 * inset - taken;
    to.text(QPointF(box.left() + inset, base),
            text_.elided(node.name, TextRole::sansSemibold, name, room), TextRole::sansSemibold,
            name, text, fill, TextAlign::left);
    if (isOneLine) {
        return;
    }
    const QString words = isLarge && node.predicted > 0
                              ? predictedText(number, node.predicted) + heat.time
                              : heat.time;
    to.text(QPointF(box.right() - inset, box.bottom() - px * 0.7), words, TextRole::mono, px,
            isLight ? scene.theme.text.secondary : text, fill, TextAlign::right);
}

void LivePicture::paintedHeat(QPainter& painter, const Scene& scene, int number,
                              const LiveNode& live) {
    ByPainter to{painter, text_};
    drawHeat(to, scene, number, live);
}

void LivePicture::paintHeat(const QRect& exposed, const Scene& scene, const PaintStill& still) {
    QImage& image = sheet_.image();
    QPainter into(&image);
    if (!isKept_) {
        into.setClipRect(exposed);
        paintBelow(into, exposed, scene, still);
        heatWithin(into, exposed, scene);
    } else if (!isSheet_) {
        sheet_.setClip(image.rect());
        sheet_.restore(image.rect(), kept_);
        findCrowd(scene);
        heatWithin(into, image.rect(), scene);
        isSheet_ = true;
    } else {
        heatChanged(into, scene);
    }
    hot_.clear();
}

void LivePicture::heatWithin(QPainter& into, const QRect& clip, const Scene& scene) {
    sheet_.setClip(clip);
    into.setClipRect(sheet_.clip());
    into.setRenderHint(QPainter::Antialiasing, false);
    const double scale = scene.at.scale();
    const QRectF area(scene.at.origin + QPointF(clip.topLeft()) / scale,
                      QSizeF(clip.size()) / scale);
    const int reach = scene.at.fixed(rim);
    const QRect near = clip.adjusted(-reach, -reach, reach, reach);
    ByLines to{sheet_, into, text_};
    for (const int number : scene.list.nodesIn(area)) {
        const NodeView& node = scene.list.nodes[static_cast<std::size_t>(number)];
        const auto live = nodes_.find(node.id);
        if (live == nodes_.end() || !near.intersects(scene.at.toDevice(node.box))) {
            continue;
        }
        if (isPlain(live->second)) {
            drawHeat(to, scene, number, live->second);
        } else {
            drawNode(into, scene, number, live->second);
        }
    }
}

void LivePicture::heatChanged(QPainter& into, const Scene& scene) {
    const int reach = scene.at.fixed(rim);
    const int radius = scene.at.isFar() ? 0 : scene.at.px(tokens().sizes.radius.node);
    std::vector<QRect> marks;
    for (const auto& [id, live] : nodes_) {
        const NodeView* node = live.isRunning ? scene.list.node(id) : nullptr;
        if (node != nullptr) {
            marks.push_back(scene.at.toDevice(node->box).adjusted(-reach, -reach, reach, reach));
        }
    }
    const auto isUnder = [](const std::vector<QRect>& marks, const QRect& box) {
        return std::ranges::any_of(marks, [&](const QRect& mark) { return mark.intersects(box); });
    };
    ByLines to{sheet_, into, text_};
    for (const int number : hot_) {
        const auto place = static_cast<std::size_t>(number);
        const NodeView& node = scene.list.nodes[place];
        const QRect box = scene.at.toDevice(node.box);
        const auto live = nodes_.find(node.id);
        const bool isAlone = live != nodes_.end() && isPlain(live->second) && sum_ > 0 &&
                             !crowd_[place] && !isUnder(marks, box) && !isUnder(marked_, box);
        if (isAlone) {
            sheet_.setClip(box);
            sheet_.restoreCorners(box, radius, kept_);
            drawHeat(to, scene, number, live->second);
        } else {
            const QRect all = box.adjusted(-reach, -reach, reach, reach);
            sheet_.setClip(all);
            sheet_.restore(all, kept_);
            heatWithin(into, all, scene);
        }
    }
    marked_ = std::move(marks);
}

/// Finds nodes that overlap others; for these nodes the neighbours are redrawn too.
void LivePicture::findCrowd(const Scene& scene) {
    crowd_.assign(scene.list.nodes.size(), false);
    const double pixel = 1 / scene.at.scale();
    for (std::size_t k = 0; k < crowd_.size(); ++k) {
        const QRectF box = scene.list.nodes[k].box.adjusted(-pixel, -pixel, pixel, pixel);
        crowd_[k] = std::ranges::any_of(scene.list.nodesIn(box), [&](int other) {
            const auto place = static_cast<std::size_t>(other);
            return place != k && scene.list.nodes[place].box.intersects(box);
        });
    }
    marked_.clear();
}

} // namespace weft::ui
