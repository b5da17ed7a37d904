// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/node_parts.h"

#include <algorithm>
#include <cmath>

namespace weft::ui {

namespace {

int pixels(double units, const Viewport& at) {
    return std::max(1, static_cast<int>(std::lround(units * at.scale())));
}

bool isNear(const Viewport& at) { return at.zoom >= tokens().sizes.zoom.text; }

} // namespace

QRect costBar(const QRect& box, double share, bool isMeasured, const Viewport& at) {
    constexpr double longest = 140;
    const double scale = at.scale();
    const int length =
        std::max(pixels(4, at), static_cast<int>(std::lround(longest * share * scale)));
    return isMeasured ? QRect(box.left() + pixels(17, at), box.top() + static_cast<int>(73 * scale),
                              length, pixels(tokens().sizes.size.costBar, at))
                      : QRect(box.left() + pixels(17, at), box.top() + static_cast<int>(67 * scale),
                              length, pixels(4.5, at));
}

QPointF timePlace(const NodeView& node, const QRect& box, const Viewport& at) {
    const double scale = at.scale();
    if (isNear(at)) {
        return {box.left() + 230 * scale, box.top() + (node.isCompact ? 18.5 : 76) * scale};
    }
    const double px = tokens().sizes.type.small * at.ratio;
    const double right = box.right() - pixels(6, at);
    return {right, node.isCompact ? box.center().y() + px * 0.4 : box.top() + px * 1.25};
}

double timeRoom(const Viewport& at) {
    // "12.9 ms" in mono: seven advances of six tenths.
    constexpr double letters = 7.5 * 0.6;
    const double small = tokens().sizes.type.small;
    return letters * small * (isNear(at) ? at.scale() : at.ratio);
}

QRect activationPlace(const QRect& box, const Viewport& at) {
    if (isNear(at)) {
        return {box.left() + pixels(17, at), box.top() + pixels(31, at), pixels(124, at),
                pixels(tokens().sizes.size.drawing, at)};
    }
    const int inset = pixels(6, at);
    const int title = static_cast<int>(tokens().sizes.type.small * at.ratio * 1.5);
    return box.adjusted(inset, inset + title, -inset, -inset);
}

} // namespace weft::ui
