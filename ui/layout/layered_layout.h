// SPDX-License-Identifier: Apache-2.0
#pragma once
// Places the nodes of a graph in rows, each below what feeds it, with few crossings; a graph much
// higher than wide is folded into columns, so that a long chain fits a window. Pure; any thread.

#include <QPointF>
#include <QSizeF>
#include <stop_token>
#include <vector>

namespace weft::ui {

struct LayoutEdge {
    int from = 0;
    int to = 0;
    double port = 0; ///< of the lower node: larger is further to the right
};

struct LayoutGraph {
    std::vector<QSizeF> sizes;
    std::vector<double> below;     ///< room that a node's badges need under it; empty: none
    std::vector<LayoutEdge> edges; ///< circles are broken where they close
};

struct LayoutSettings {
    double besides = 40;  ///< between neighbours of a row
    double below = 32;    ///< between rows; more where a badge needs room
    double columns = 160; ///< between columns
    double aspect = 1.6;  ///< of the window that it should fit
    double grid = 8;
};

/// Top left corners in the order of the sizes; empty when `stop` came first.
[[nodiscard]] std::vector<QPointF> layeredLayout(const LayoutGraph& graph,
                                                 const LayoutSettings& settings = {},
                                                 const std::stop_token& stop = {});

} // namespace weft::ui
