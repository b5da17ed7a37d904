// SPDX-License-Identifier: Apache-2.0
#include "exchange/onnx/place_layers.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <vector>

namespace weft::onnx {

namespace {

constexpr double rowHeight = 136;
constexpr double columnWidth = 216;
/// Most rows of one stack; a longer network continues in another stack, to the right.
constexpr std::size_t mostRows = 24;

} // namespace

void placeLayers(Network& network) {
    std::unordered_map<std::uint32_t, std::size_t> indices;
    for (std::size_t k = 0; k < network.layers.size(); ++k) {
        indices[network.layers[k].id.value] = k;
    }
    std::vector<std::vector<std::size_t>> sources(network.layers.size());
    for (const Wire& wire : network.wires) {
        sources[indices.at(wire.to.layer.value)].push_back(indices.at(wire.from.layer.value));
    }
    std::vector<std::size_t> depths(network.layers.size(), 0);
    std::map<std::size_t, std::size_t> inRow; // depth -> number of layers placed in its row so far
    std::vector<std::size_t> columns(network.layers.size(), 0);
    for (std::size_t k = 0; k < network.layers.size(); ++k) {
        for (const std::size_t source : sources[k]) {
            depths[k] = std::max(depths[k], depths[source] + 1);
        }
        columns[k] = inRow[depths[k]]++;
    }
    // Each stack of `mostRows` rows is as wide as its widest row.
    std::map<std::size_t, std::size_t> widths;
    for (const auto& [depth, count] : inRow) {
        std::size_t& width = widths[depth / mostRows];
        width = std::max(width, count);
    }
    std::map<std::size_t, std::size_t> firsts;
    std::size_t first = 0;
    for (const auto& [stack, width] : widths) {
        firsts[stack] = first;
        first += width + 1;
    }
    for (std::size_t k = 0; k < network.layers.size(); ++k) {
        const std::size_t column = firsts.at(depths[k] / mostRows) + columns[k];
        network.layers[k].position = {columnWidth * static_cast<double>(column),
                                      rowHeight * static_cast<double>(depths[k] % mostRows)};
    }
}

} // namespace weft::onnx
