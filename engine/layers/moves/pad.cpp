// SPDX-License-Identifier: Apache-2.0
// pad: a number before and after the positions of dims, or positions of x: slices and repeated
// slices, concatenated with it
#include "layers/moves/moves.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace weft::layers {

namespace {

/// Positions to add to one dim.
struct Padding {
    std::int64_t dim, before, after;
};

/// Returns `count` copies of one position of a dim.
ValueId copiesOf(Lowering& lowering, ValueId x, std::int64_t dim, std::int64_t position,
                 std::int64_t count) {
    const ValueId one = sliced(lowering, x, dim, position, position + 1);
    Dims rest = restOf(lowering, one);
    rest[static_cast<std::size_t>(dim - 1)] = count;
    return repeated(lowering, one, rest);
}

/// Returns what to concatenate before x (`isBefore`) or after it, from positions of x.
ValueId borderOf(Lowering& lowering, const std::string& mode, ValueId x, const Padding& padding,
                 bool isBefore) {
    const std::int64_t size = lowering.shape(x)[static_cast<std::size_t>(padding.dim)];
    const std::int64_t count = isBefore ? padding.before : padding.after;
    if (mode == "edge") {
        return copiesOf(lowering, x, padding.dim, isBefore ? 0 : size - 1, count);
    }
    if (mode == "reflect") {
        const std::int64_t first = isBefore ? count : size - 2;
        return sliced(lowering, x, padding.dim, first, first - count, -1);
    }
    const std::int64_t first = isBefore ? size - count : 0; // wrap
    return sliced(lowering, x, padding.dim, first, first + count);
}

/// Returns the largest number of positions that a mode can add on one side.
std::int64_t mostOf(const std::string& mode, std::int64_t size) {
    return mode == "reflect" ? size - 1
           : mode == "wrap"  ? size
                             : std::numeric_limits<std::int64_t>::max();
}

ValueId withNumbers(Lowering& lowering, ValueId x, const Padding& padding) {
    return lowering.add("pad", {x},
                        {{"dim", padding.dim},
                         {"before", padding.before},
                         {"after", padding.after},
                         {"value", lowering.attributes().real("value")}});
}

/// Returns x with the padding; without a value after a refusal.
std::optional<ValueId> padded(Lowering& lowering, ValueId x, Padding padding) {
    const Shape shape = lowering.shape(x);
    const std::int64_t size = shape[static_cast<std::size_t>(padding.dim)];
    const std::int64_t begin = padding.before < 0 ? -padding.before : 0;
    const std::int64_t end = size + std::min<std::int64_t>(padding.after, 0);
    if (begin >= end) {
        lowering.refuse(fmt::format("input is {}: padding {} before and {} after dim {} leaves "
                                    "nothing of it",
                                    toString(shape), padding.before, padding.after, padding.dim),
                        "x");
        return std::nullopt;
    }
    x = sliced(lowering, x, padding.dim, begin, end);
    padding.before = std::max<std::int64_t>(padding.before, 0);
    padding.after = std::max<std::int64_t>(padding.after, 0);
    const std::string& mode = lowering.attributes().text("mode");
    if (padding.before == 0 && padding.after == 0) {
        return x;
    }
    if (mode == "constant") {
        return withNumbers(lowering, x, padding);
    }
    if (std::max(padding.before, padding.after) > mostOf(mode, end - begin)) {
        lowering.refuse(fmt::format("input is {}: {} adds at most {} positions to either side of "
                                    "dim {}",
                                    toString(shape), mode, mostOf(mode, end - begin), padding.dim),
                        "x");
        return std::nullopt;
    }
    std::vector<ValueId> parts{x};
    if (padding.before > 0) {
        parts.insert(parts.begin(), borderOf(lowering, mode, x, padding, true));
    }
    if (padding.after > 0) {
        parts.push_back(borderOf(lowering, mode, x, padding, false));
    }
    return lowering.add("concat", parts, {{"dim", padding.dim}});
}

void lowerPad(Lowering& lowering) {
    ValueId y = lowering.input("x");
    const Shape shape = lowering.shape(y);
    if (!isFloating(lowering.builder().dtype(y))) {
        lowering.refuse("input has whole numbers; pad takes floating-point numbers", "x");
        return;
    }
    const auto dims = dimsAfterBatch(lowering, lowering.attributes().integers("dims"), shape.size(),
                                     "input is " + toString(shape));
    if (!dims) {
        return;
    }
    const Dims before = lowering.attributes().integers("before");
    const Dims after = lowering.attributes().integers("after");
    if (before.size() != dims->size() || after.size() != dims->size()) {
        lowering.refuse(fmt::format("there are {} dims, and numbers before {} and after {} dims; "
                                    "give both for each dim",
                                    dims->size(), before.size(), after.size()));
        return;
    }
    for (std::size_t k = 0; k < dims->size(); ++k) {
        const auto next = padded(lowering, y, {(*dims)[k], before[k], after[k]});
        if (!next || lowering.builder().hasNoShape(*next)) {
            return;
        }
        y = *next;
    }
    lowering.output("y", y);
}

Attributes by(const char* mode, Dims dims, Dims before, Dims after) {
    return {{"mode", std::string(mode)},
            {"dims", std::move(dims)},
            {"before", std::move(before)},
            {"after", std::move(after)}};
}

} // namespace

void pad(LayerList& list) {
    Attributes sevens = by("constant", {-1}, {2}, {0});
    sevens.set("value", 7.0);
    list.add(
        {.info =
             {.kind = "pad",
              .title = "Pad",
              .category = "shape",
              .help = "Adds positions before and after those of dims: a number, or positions of "
                      "x. PyTorch: pad, ZeroPad2d, ReflectionPad2d, ReplicationPad2d and "
                      "CircularPad2d; ONNX: Pad.",
              .synonyms = {"ZeroPad2d", "ReflectionPad2d", "ReplicationPad2d", "ConstantPad2d",
                           "CircularPad2d", "border"},
              .inputs = {{.name = "x", .help = "[batch, ...]"}},
              .outputs = {{.name = "y", .help = "[batch, larger dims...]"}},
              .attributes = {{.name = "dims",
                              .defaultValue = Dims{-1},
                              .help = "Dims to pad, but not the batch, dim 0; -1 is the last."},
                             {.name = "before",
                              .defaultValue = Dims{1},
                              .help = "Number of positions to add before each of the dims; below "
                                      "0: to leave out."},
                             {.name = "after",
                              .defaultValue = Dims{1},
                              .help = "Number of positions to add after each of the dims; below 0: "
                                      "to leave out."},
                             {.name = "mode",
                              .defaultValue = std::string("constant"),
                              .help = "What the added positions hold: value (constant), the "
                                      "positions next to the border in reverse order (reflect), "
                                      "the border itself (edge, PyTorch's replicate), or those at "
                                      "the other end (wrap, PyTorch's circular).",
                              .choices = {"constant", "reflect", "edge", "wrap"},
                              .synonyms = {{"replicate", "edge"}, {"circular", "wrap"}}},
                             {.name = "value",
                              .defaultValue = 0.0,
                              .help = "The number that mode constant adds."}},
              .parameters = {}},
         .lower = lowerPad,
         .samples = {
             {.inputs = {{4, 10}}, .attributes = sevens},
             {.inputs = {{2, 3, 5, 7}}, .attributes = by("constant", {2, 3}, {1, 2}, {1, -1})},
             {.inputs = {{2, 3, 5, 7}}, .attributes = by("reflect", {2, 3}, {1, 2}, {2, 0})},
             {.inputs = {{3, 4, 6}}, .attributes = by("edge", {1, 2}, {2, 0}, {1, 3})},
             {.inputs = {{3, 4, 6}}, .attributes = by("wrap", {1}, {2}, {1})}}});
}

} // namespace weft::layers
