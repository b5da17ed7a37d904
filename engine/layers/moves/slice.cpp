// SPDX-License-Identifier: Apache-2.0
// slice: positions of dims, from start to stop in steps; split: a dim in parts, an output each
#include "layers/moves/moves.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace weft::layers {

namespace {

constexpr std::int64_t toTheEnd = std::numeric_limits<std::int32_t>::max();

/// Returns a position counted from the front, between `least` and `most`; -1 is the last.
std::int64_t clamped(std::int64_t given, std::int64_t size, std::int64_t least, std::int64_t most) {
    return std::clamp(given < 0 ? given + size : given, least, most);
}

void lowerSlice(Lowering& lowering) {
    ValueId y = lowering.input("x");
    const Shape shape = lowering.shape(y);
    const auto dims = dimsAfterBatch(lowering, lowering.attributes().integers("dims"), shape.size(),
                                     "input is " + toString(shape));
    if (!dims) {
        return;
    }
    const Dims starts = lowering.attributes().integers("starts");
    const Dims stops = lowering.attributes().integers("stops");
    Dims steps = lowering.attributes().integers("steps");
    if (steps.empty()) {
        steps.assign(dims->size(), 1);
    }
    if (starts.size() != dims->size() || stops.size() != dims->size() ||
        steps.size() != dims->size()) {
        lowering.refuse(fmt::format("there are {} dims, {} starts, {} stops and {} steps; give one "
                                    "of each for each dim",
                                    dims->size(), starts.size(), stops.size(), steps.size()));
        return;
    }
    for (std::size_t k = 0; k < dims->size(); ++k) {
        const std::int64_t size = shape[static_cast<std::size_t>((*dims)[k])];
        // Steps beyond the size take the first position only.
        const std::int64_t step = std::clamp(steps[k], -size, size);
        const std::int64_t least = step < 0 ? -1 : 0;
        const std::int64_t most = step < 0 ? size - 1 : size;
        const std::int64_t begin = clamped(starts[k], size, least, most);
        const std::int64_t end = clamped(stops[k], size, least, most);
        if (step == 0 || (step > 0 ? begin >= end : begin <= end)) {
            lowering.refuse(fmt::format("input is {}: no position of dim {} lies between {} and {} "
                                        "in steps of {}",
                                        toString(shape), (*dims)[k], starts[k], stops[k], steps[k]),
                            "x");
            return;
        }
        y = sliced(lowering, y, (*dims)[k], begin, end, step);
    }
    lowering.output("y", y);
}

/// Returns the sizes with -1 replaced by an equal share of what is left; nothing if they do not
/// fit.
std::optional<Dims> sharedOut(Dims sizes, std::int64_t size) {
    std::int64_t left = size;
    std::int64_t shares = 0;
    for (const std::int64_t part : sizes) {
        if (part != -1 && (part < 1 || part > left)) {
            return std::nullopt;
        }
        left -= part == -1 ? 0 : part;
        shares += part == -1 ? 1 : 0;
    }
    if (shares == 0 ? left != 0 : left < shares || left % shares != 0) {
        return std::nullopt;
    }
    std::ranges::replace(sizes, std::int64_t{-1}, shares == 0 ? 0 : left / shares);
    return sizes;
}

void lowerSplit(Lowering& lowering) {
    const ValueId x = lowering.input("x");
    const Shape shape = lowering.shape(x);
    const auto dims = dimsAfterBatch(lowering, {lowering.attributes().integer("dim")}, shape.size(),
                                     "input is " + toString(shape));
    if (!dims) {
        return;
    }
    const std::int64_t dim = dims->front();
    const std::int64_t size = shape[static_cast<std::size_t>(dim)];
    const Dims given = lowering.attributes().integers("sizes");
    const std::optional<Dims> sizes = sharedOut(given, size);
    if (!sizes || sizes->empty()) {
        lowering.refuse(fmt::format("input is {}: sizes {} do not divide the {} positions of dim "
                                    "{}",
                                    toString(shape), toString(given), size, dim),
                        "x");
        return;
    }
    std::int64_t begin = 0;
    for (std::size_t k = 0; k < sizes->size(); ++k) {
        lowering.output(fmt::format("y{}", k),
                        sliced(lowering, x, dim, begin, begin + (*sizes)[k]));
        begin += (*sizes)[k];
    }
}

Attributes cut(Dims dims, Dims starts, Dims stops, Dims steps = {}) {
    return {{"dims", std::move(dims)},
            {"starts", std::move(starts)},
            {"stops", std::move(stops)},
            {"steps", std::move(steps)}};
}

} // namespace

void slice(LayerList& list) {
    list.add(
        {.info =
             {.kind = "slice",
              .title = "Slice",
              .category = "shape",
              .help = "Takes the positions of dims from start to stop in steps, as numpy's "
                      "x[:, start:stop:step]. PyTorch: indexing, narrow and flip; ONNX: Slice.",
              .synonyms = {"crop", "narrow", "flip", "index", "select"},
              .inputs = {{.name = "x", .help = "[batch, ...]", .type = PortType::any}},
              .outputs = {{.name = "y", .help = "[batch, positions...]"}},
              .attributes = {{.name = "dims",
                              .defaultValue = Dims{-1},
                              .help = "Dims to slice, but not the batch, dim 0; -1 is the last."},
                             {.name = "starts",
                              .defaultValue = Dims{0},
                              .help = "The first position of each of the dims; -1 is the last "
                                      "position."},
                             {.name = "stops",
                              .defaultValue = Dims{toTheEnd},
                              .help = "The position before which each ends; -1 is the last "
                                      "position, and numbers beyond the size mean the end."},
                             {.name = "steps",
                              .defaultValue = Dims{},
                              .help = "The distance of neighbouring positions of each; below 0: "
                                      "backwards from start. Empty: 1 for each."}},
              .parameters = {}},
         .lower = lowerSlice,
         .samples = {
             {.inputs = {{4, 10}}, .attributes = cut({1}, {2}, {-1}, {3})},
             {.inputs = {{2, 3, 5, 7}}, .attributes = cut({2, 3}, {1, 0}, {4, 6})},
             {.inputs = {{3, 4, 6}}, .attributes = cut({1, -1}, {-1, 4}, {-5, 0}, {-1, -2})}}});
    list.add(
        {.info = {.kind = "split",
                  .title = "Split",
                  .category = "shape",
                  .help = "Divides a dim into parts, with an output for each. PyTorch: split and "
                          "chunk; ONNX: Split.",
                  .synonyms = {"chunk", "unbind"},
                  .inputs = {{.name = "x", .help = "[batch, ...]", .type = PortType::any}},
                  .outputs = {{.name = "y",
                               .help = "parts of x: y0, y1, ..., one for each of sizes",
                               .variadic = true,
                               .perElementOf = "sizes"}},
                  .attributes = {{.name = "sizes",
                                  .defaultValue = Dims{-1, -1},
                                  .help = "Number of positions of each part, in order; -1 is an "
                                          "equal share of what the others leave."},
                                 {.name = "dim",
                                  .defaultValue = std::int64_t{1},
                                  .help = "Dim to divide, but not the batch, dim 0; -1 is the "
                                          "last."}},
                  .parameters = {}},
         .lower = lowerSplit,
         .samples = {{.inputs = {{4, 10}}},
                     {.inputs = {{2, 6, 5, 4}}, .attributes = {{"sizes", Dims{1, -1, 3}}}},
                     {.inputs = {{3, 4, 6}},
                      .attributes = {{"dim", std::int64_t{-1}}, {"sizes", Dims{6}}}}}});
}

} // namespace weft::layers
