// SPDX-License-Identifier: Apache-2.0
#include "layout/layered_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ranges>
#include <utility>

namespace weft::ui {

namespace {

class Layout {
public:
    Layout(const LayoutGraph& graph, const LayoutSettings& settings, const std::stop_token& stop)
        : graph_(graph),
          settings_(settings),
          stop_(stop),
          in_(graph.sizes.size()),
          out_(graph.sizes.size()),
          row_(graph.sizes.size(), 0),
          x_(graph.sizes.size(), 0.0) {}

    std::vector<QPointF> place() {
        breakCircles();
        findRows();
        orderRows();
        if (stop_.stop_requested()) {
            return {};
        }
        findColumns();
        return positions();
    }

private:
    using Index = std::size_t;

    /// Drops the edges that close a cycle in a depth-first search.
    void breakCircles() {
        std::vector<std::vector<Index>> all(graph_.sizes.size());
        for (const auto& [from, to, port] : graph_.edges) {
            if (from != to) {
                all[static_cast<Index>(from)].push_back(static_cast<Index>(to));
            }
        }
        enum class State : std::uint8_t { fresh, open, done };
        std::vector<State> states(all.size(), State::fresh);
        for (Index root = 0; root < all.size(); ++root) {
            std::vector<std::pair<Index, Index>> way; // pairs of node and next edge
            if (states[root] == State::fresh) {
                way.emplace_back(root, 0);
                states[root] = State::open;
            }
            while (!way.empty()) {
                auto& [node, next] = way.back();
                if (next == all[node].size()) {
                    states[node] = State::done;
                    order_.push_back(node);
                    way.pop_back();
                    continue;
                }
                const Index to = all[node][next++];
                if (states[to] == State::open) {
                    continue;
                }
                out_[node].push_back(to);
                in_[to].push_back(node);
                if (states[to] == State::fresh) {
                    states[to] = State::open;
                    way.emplace_back(to, 0);
                }
            }
        }
        std::ranges::reverse(order_);
    }

    void findRows() {
        for (const Index node : order_) {
            for (const Index to : out_[node]) {
                row_[to] = std::max(row_[to], row_[node] + 1);
            }
        }
        // A node without inputs is moved down to just above its first consumer.
        for (const Index node : order_ | std::views::reverse) {
            if (in_[node].empty() && !out_[node].empty()) {
                int first = row_[out_[node].front()];
                for (const Index to : out_[node]) {
                    first = std::min(first, row_[to]);
                }
                row_[node] = std::max(0, first - 1);
            }
        }
        const int count = row_.empty() ? 0 : *std::ranges::max_element(row_) + 1;
        rows_.resize(static_cast<Index>(count));
        for (const Index node : order_) {
            rows_[static_cast<Index>(row_[node])].push_back(node);
        }
    }

    /// Returns, for each node, the mean position of the ports that it feeds, which orders nodes
    /// that want the same place.
    [[nodiscard]] std::vector<double> portsFed() const {
        std::vector<double> sums(graph_.sizes.size(), 0.0);
        std::vector<int> counts(graph_.sizes.size(), 0);
        for (const LayoutEdge& edge : graph_.edges) {
            const auto from = static_cast<Index>(edge.from);
            sums[from] += edge.port;
            ++counts[from];
        }
        for (Index node = 0; node < sums.size(); ++node) {
            sums[node] /= std::max(1, counts[node]);
        }
        return sums;
    }

    void orderRows() {
        for (std::vector<Index>& row : rows_) {
            spread(row, {});
        }
        std::vector<double> wanted(graph_.sizes.size(), 0.0);
        const std::vector<double> ports = portsFed();
        constexpr int sweeps = 12;
        for (int sweep = 0; sweep < sweeps && !stop_.stop_requested(); ++sweep) {
            const bool isDown = sweep % 2 == 0;
            for (Index k = 0; k < rows_.size(); ++k) {
                std::vector<Index>& row = rows_[isDown ? k : rows_.size() - 1 - k];
                for (const Index node : row) {
                    wanted[node] = middleOf(isDown ? in_[node] : out_[node], x_[node]);
                }
                std::ranges::stable_sort(row, {}, [&](Index node) {
                    return std::pair(wanted[node], isDown ? 0 : ports[node]);
                });
                spread(row, wanted);
            }
        }
    }

    /// Returns the median of the neighbours' centres.
    [[nodiscard]] double middleOf(const std::vector<Index>& neighbours, double own) const {
        if (neighbours.empty()) {
            return own;
        }
        std::vector<double> middles;
        middles.reserve(neighbours.size());
        for (const Index node : neighbours) {
            middles.push_back(x_[node]);
        }
        std::ranges::sort(middles);
        const std::size_t half = middles.size() / 2;
        return middles.size() % 2 == 1 ? middles[half] : (middles[half - 1] + middles[half]) / 2;
    }

    /// Places centres as near to the wanted ones as the distance between neighbours allows.
    void spread(const std::vector<Index>& row, const std::vector<double>& wanted) {
        // A group of adjacent nodes that touch; all of them are shifted by the mean of their wanted
        // shifts.
        struct Run {
            double shift = 0;
            int count = 0;
        };
        std::vector<Run> runs;
        std::vector<double> places;
        double at = 0;
        for (Index i = 0; i < row.size(); ++i) {
            const double half = graph_.sizes[row[i]].width() / 2;
            at += i == 0 ? 0 : half;
            places.push_back(at);
            at += half + settings_.besides;
            runs.push_back({(wanted.empty() ? 0 : wanted[row[i]] - places.back()), 1});
            while (runs.size() > 1 && runs[runs.size() - 2].shift > runs.back().shift) {
                const Run last = runs.back();
                runs.pop_back();
                Run& before = runs.back();
                before.shift = (before.shift * before.count + last.shift * last.count) /
                               (before.count + last.count);
                before.count += last.count;
            }
        }
        Index node = 0;
        for (const Run& run : runs) {
            for (int k = 0; k < run.count; ++k, ++node) {
                x_[row[node]] = places[node] + run.shift;
            }
        }
    }

    [[nodiscard]] double heightOf(const std::vector<Index>& row) const {
        double height = 0;
        for (const Index node : row) {
            height = std::max(height, graph_.sizes[node].height() +
                                          (graph_.below.empty() ? 0 : graph_.below[node]));
        }
        return height + settings_.below;
    }

    [[nodiscard]] std::pair<double, double> sidesOf(const std::vector<Index>& row) const {
        double left = std::numeric_limits<double>::infinity();
        double right = -left;
        for (const Index node : row) {
            const double half = graph_.sizes[node].width() / 2;
            left = std::min(left, x_[node] - half);
            right = std::max(right, x_[node] + half);
        }
        return {left, right};
    }

    /// Chooses the number of columns whose overall shape is nearest to the window's.
    void findColumns() {
        double height = 0;
        double left = 0;
        double right = 0;
        for (const std::vector<Index>& row : rows_) {
            height += heightOf(row);
            const auto [from, to] = sidesOf(row);
            left = std::min(left, from);
            right = std::max(right, to);
        }
        const double width = right - left + settings_.columns;
        // Folding improves only narrow graphs; wide graphs stay in one column.
        double best = std::numeric_limits<double>::infinity();
        constexpr int most = 12;
        for (int count = 1; count <= most; ++count) {
            const double shape = count * width / (height / count);
            const double off = std::abs(std::log(shape / settings_.aspect));
            if (off < best) {
                best = off;
                columns_ = count;
            }
        }
        columnHeight_ = height / columns_;
    }

    [[nodiscard]] std::vector<QPointF> positions() const {
        std::vector<QPointF> places(graph_.sizes.size());
        double columnLeft = 0;
        Index first = 0;
        while (first < rows_.size()) {
            Index last = first;
            double filled = 0;
            double left = std::numeric_limits<double>::infinity();
            double right = -left;
            while (last < rows_.size() &&
                   (filled == 0 || filled + heightOf(rows_[last]) / 2 <= columnHeight_)) {
                filled += heightOf(rows_[last]);
                const auto [from, to] = sidesOf(rows_[last]);
                left = std::min(left, from);
                right = std::max(right, to);
                ++last;
            }
            double top = 0;
            for (Index k = first; k < last; ++k) {
                for (const Index node : rows_[k]) {
                    places[node] = snapped(
                        {columnLeft + x_[node] - graph_.sizes[node].width() / 2 - left, top});
                }
                top += heightOf(rows_[k]);
            }
            columnLeft += right - left + settings_.columns;
            first = last;
        }
        return places;
    }

    [[nodiscard]] QPointF snapped(QPointF at) const {
        return {std::round(at.x() / settings_.grid) * settings_.grid,
                std::round(at.y() / settings_.grid) * settings_.grid};
    }

    const LayoutGraph& graph_;
    const LayoutSettings& settings_;
    const std::stop_token& stop_;
    std::vector<std::vector<Index>> in_, out_;
    std::vector<Index> order_;
    std::vector<int> row_;
    std::vector<double> x_; ///< centres
    std::vector<std::vector<Index>> rows_;
    int columns_ = 1;
    double columnHeight_ = 0;
};

} // namespace

std::vector<QPointF> layeredLayout(const LayoutGraph& graph, const LayoutSettings& settings,
                                   const std::stop_token& stop) {
    return graph.sizes.empty() ? std::vector<QPointF>() : Layout(graph, settings, stop).place();
}

} // namespace weft::ui
