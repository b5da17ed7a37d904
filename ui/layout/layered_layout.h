// SPDX-License-Identifier: Apache-2.0
#pragma once
// Layered graph layout: each node is in a row below its inputs, with few crossings. A graph much
// taller than wide is folded into columns, so that a long chain fits a window. Pure; callable from
// any thread.

#include <QPointF>
#include <QSizeF>
#include <stop_token>
#include <vector>

namespace weft::ui {

struct LayoutEdge {
    int from = 0;    ///< index of the upper node
    int to = 0;      ///< index of the lower node
    double port = 0; ///< position of the port on the lower node; larger is further right
};

struct LayoutGraph {
    std::vector<QSizeF> sizes;     ///< size of each node
    std::vector<double> below;     ///< space below a node for its badges; empty: none
    std::vector<LayoutEdge> edges; ///< cycles are allowed; one edge of each is ignored
};

struct LayoutSettings {
    double besides = 40;  ///< distance between neighbours in a row
    double below = 32;    ///< distance between rows without badges
    double columns = 160; ///< distance between columns
    double aspect = 1.6;  ///< width / height of the target window
    double grid = 8;      ///< positions are multiples of it
};

/// Returns the top left corners in the order of the sizes; empty if stopped.
[[nodiscard]] std::vector<QPointF> layeredLayout(const LayoutGraph& graph,
                                                 const LayoutSettings& settings = {},
                                                 const std::stop_token& stop = {});

} // namespace weft::ui
