// SPDX-License-Identifier: Apache-2.0
#include "canvas/paint/node_parts.h"

#include <algorithm>
#include <cmath>

namespace weft::ui {

QRect timeBarBox(const QRect& box, double share, bool isMeasured, const Viewport& viewport) {
    constexpr double longest = 118; // leaves room for the measured time
    const double scale = viewport.scale();
    const int length =
        std::max(viewport.px(4), static_cast<int>(std::lround(longest * share * scale)));
    return isMeasured
               ? QRect(box.left() + viewport.px(17), box.top() + static_cast<int>(73 * scale),
                       length, viewport.px(tokens().sizes.size.timeBarBox))
               : QRect(box.left() + viewport.px(17), box.top() + static_cast<int>(67 * scale),
                       length, viewport.px(4.5));
}

std::optional<Whisker> whiskerOf(const QRect& box, double low, double high,
                                 const Viewport& viewport) {
    const QRect from = timeBarBox(box, low, false, viewport);
    const QRect to = timeBarBox(box, high, false, viewport);
    const int stop = viewport.fixed(1);
    if (to.right() - from.right() < 2 * stop) {
        return std::nullopt;
    }
    const int middle = from.center().y();
    return Whisker{QRect(from.right(), middle, to.right() - from.right() + stop, stop),
                   QRect(from.right(), from.top(), stop, from.height()),
                   QRect(to.right(), from.top(), stop, from.height())};
}

std::vector<QRect> outOfRangeArrow(const QRect& bar, bool isBeyond, const Viewport& viewport) {
    constexpr int columns = 3;
    const int wide = std::max(1, viewport.px(1));
    const int left = bar.right() + 1 + 2 * wide;
    std::vector<QRect> tip;
    for (int k = 0; k < columns; ++k) {
        const int half = wide * (isBeyond ? columns - k : k + 1);
        tip.emplace_back(left + k * wide, bar.center().y() + 1 - half, wide, 2 * half - wide);
    }
    return tip;
}

bool hasRoomForText(const NodeView& node, const Viewport& viewport) {
    constexpr double least = 0.54;
    return !node.isCompact || viewport.zoom >= least;
}

QPointF timeTextEnd(const NodeView& node, const QRect& box, const Viewport& viewport) {
    const double scale = viewport.scale();
    if (viewport.isNear()) {
        return {box.left() + textEdge * scale, box.top() + (node.isCompact ? 18.5 : 76) * scale};
    }
    const double px = tokens().sizes.type.small * viewport.ratio;
    const double right = box.right() - viewport.px(6);
    return {right, node.isCompact ? box.center().y() + px * 0.4 : box.top() + px * 1.25};
}

double timeTextWidth(const Viewport& viewport) {
    // Room for "12.9 ms" in mono: seven characters, each 0.6 em wide.
    constexpr double letters = 7.5 * 0.6;
    const double small = tokens().sizes.type.small;
    return letters * small * (viewport.isNear() ? viewport.scale() : viewport.ratio);
}

QRect activationBox(const QRect& box, const Viewport& viewport) {
    if (viewport.isNear()) {
        return {box.left() + viewport.px(17), box.top() + viewport.px(31), viewport.px(124),
                viewport.px(tokens().sizes.size.drawing)};
    }
    const int inset = viewport.px(6);
    const int title = static_cast<int>(tokens().sizes.type.small * viewport.ratio * 1.5);
    return box.adjusted(inset, inset + title, -inset, -inset);
}

} // namespace weft::ui
