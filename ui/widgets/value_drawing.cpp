// SPDX-License-Identifier: Apache-2.0
#include "widgets/value_drawing.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace weft::ui {

namespace {

struct AxisPlacement {
    char kind = 'R'; ///< 'R', 'P' or 'S'
    int dim = 0;
};

std::vector<AxisPlacement> axesOf(std::string_view text) {
    std::vector<AxisPlacement> axes;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        AxisPlacement axis;
        axis.kind = word.front();
        if (axis.kind == 'S' && word.size() > 2) {
            std::from_chars(word.data() + 2, word.data() + word.size(), axis.dim);
        }
        axes.push_back(axis);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return axes;
}

/// Parts differ by at most one element; larger ones first.
std::vector<Part> partsOf(std::int64_t size, std::int64_t count) {
    std::vector<Part> parts;
    const double whole = static_cast<double>(std::max<std::int64_t>(size, 1));
    std::int64_t begin = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t length = size / count + (i < size % count ? 1 : 0);
        parts.push_back(
            {static_cast<double>(begin) / whole, static_cast<double>(begin + length) / whole});
        begin += length;
    }
    return parts;
}

} // namespace

ValueDrawing drawingOf(std::string_view placement, const Shape& shape,
                       const std::vector<std::int64_t>& mesh, const std::vector<int>& hues,
                       bool isWeight) {
    ValueDrawing drawing;
    drawing.hues = hues;
    if (hues.empty() || placement.empty()) {
        return drawing;
    }
    if (hues.size() == 1) {
        drawing.kind = ValueDrawing::Kind::single;
        return drawing;
    }
    const std::vector<AxisPlacement> axes = axesOf(placement);
    drawing.kind = ValueDrawing::Kind::replicated;
    std::vector<int> taken{0, 0}; // mesh strides used by the splits of rows and columns
    auto stride = static_cast<std::int64_t>(hues.size());
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        const std::int64_t extent =
            axis < mesh.size() ? mesh[axis] : static_cast<std::int64_t>(hues.size());
        stride /= std::max<std::int64_t>(extent, 1);
        if (axes[axis].kind == 'P') {
            drawing.kind = ValueDrawing::Kind::partial;
        } else if (axes[axis].kind == 'S' && axes[axis].dim < static_cast<int>(shape.size())) {
            const int dim = axes[axis].dim;
            // Rows are the batch, a weight's inputs or a picture's rows; columns are features.
            const bool isColumn = isWeight ? dim == 0 : dim == 1 || dim == 3;
            auto& side = isColumn ? drawing.columns : drawing.rows;
            side = partsOf(shape[static_cast<std::size_t>(dim)], extent);
            taken[isColumn ? 1 : 0] = static_cast<int>(stride);
            if (!isWeight && dim >= 2) {
                drawing.join = ValueDrawing::Join::tiles;
            }
            if (drawing.kind != ValueDrawing::Kind::partial) {
                drawing.kind = ValueDrawing::Kind::split;
            }
        }
    }
    if (drawing.kind == ValueDrawing::Kind::split) {
        drawing.hues.clear();
        for (std::size_t row = 0; row < drawing.rows.size(); ++row) {
            for (std::size_t column = 0; column < drawing.columns.size(); ++column) {
                const std::size_t device = row * static_cast<std::size_t>(taken[0]) +
                                           column * static_cast<std::size_t>(taken[1]);
                drawing.hues.push_back(hues[std::min(device, hues.size() - 1)]);
            }
        }
    }
    return drawing;
}

LayerDrawing drawingOf(const LayerPreview& layer, const std::vector<int>& hues) {
    LayerDrawing drawing;
    const auto draw = [&](ValueDrawing& value, const auto& all, bool isWeight) {
        if (!all.empty()) {
            const auto& first = all.front();
            value = drawingOf(first.placement, first.shape, layer.mesh, hues, isWeight);
        }
    };
    draw(drawing.x, layer.inputs, false);
    draw(drawing.weight, layer.parameters, true);
    draw(drawing.y, layer.outputs, false);
    return drawing;
}

Shape partOf(std::string_view placement, const Shape& shape, const std::vector<std::int64_t>& mesh,
             std::size_t device) {
    Shape part = shape;
    std::int64_t devices = 1;
    for (const std::int64_t extent : mesh) {
        devices *= std::max<std::int64_t>(extent, 1);
    }
    std::int64_t stride = devices;
    const std::vector<AxisPlacement> axes = axesOf(placement);
    for (std::size_t axis = 0; axis < axes.size() && axis < mesh.size(); ++axis) {
        const std::int64_t extent = std::max<std::int64_t>(mesh[axis], 1);
        stride /= extent;
        const auto dim = static_cast<std::size_t>(axes[axis].dim);
        if (axes[axis].kind == 'S' && dim < part.size()) {
            const std::int64_t place = static_cast<std::int64_t>(device) / stride % extent;
            part[dim] = part[dim] / extent + (place < part[dim] % extent ? 1 : 0);
        }
    }
    return part;
}

std::vector<PixelPart> pixelsOf(const std::vector<Part>& parts, int begin, int length, int gap) {
    std::vector<PixelPart> pixels;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const int from = begin + static_cast<int>(std::lround(parts[i].begin * length));
        const int to = begin + static_cast<int>(std::lround(parts[i].end * length));
        const int room = to - from - (i + 1 < parts.size() ? gap : 0);
        if (room >= 2) {
            pixels.push_back({from, room, static_cast<int>(i)});
        } else if (!pixels.empty()) {
            pixels.back().length = to - pixels.back().begin;
        } else {
            pixels.push_back({from, std::max(1, to - from), static_cast<int>(i)});
        }
    }
    return pixels;
}

} // namespace weft::ui
