// SPDX-License-Identifier: Apache-2.0
// Operators that move elements or change nothing.
#include "exchange/onnx/convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace weft::onnx {

namespace {

std::int64_t productOf(Shape::const_iterator begin, Shape::const_iterator end) {
    std::int64_t product = 1;
    for (; begin != end; ++begin) {
        product *= *begin; // cannot overflow: the graph has checked the size of the value
    }
    return product;
}

/// Returns "[batch, 3, 4]".
std::string withBatch(const Shape& shape) {
    std::string text = "[batch";
    for (std::size_t k = 1; k < shape.size(); ++k) {
        text += fmt::format(", {}", shape[k]);
    }
    return text + "]";
}

/// Makes the result of a node that only changes the shape of input 0 to `to`: passes the input, or
/// makes a layer flatten or reshape. Throws Refusal for shapes that move the batch.
void becomes(NodeConversion& conversion, const ShapePerBatch& to) {
    ConvertedValue x = conversion.computedInput(0);
    const ShapePerBatch from = conversion.inputShapes(0);
    const bool isAlike = !to[0].empty() && !to[1].empty() &&
                         std::equal(to[0].begin() + 1, to[0].end(), to[1].begin() + 1, to[1].end());
    for (std::size_t k = 0; k < to.size(); ++k) {
        if (!isAlike || to[k][0] != batches[k]) {
            throw Refusal(fmt::format("makes {} of {}, which moves the batch", toString(to[0]),
                                      withBatch(from[0])));
        }
    }
    if (to == from && !x.isFlattened) {
        conversion.passInput("changes nothing");
        return;
    }
    if (to[0].size() == 2 && x.isFlattened) {
        conversion.passInputFlattened("global average pooling has flattened already");
        return;
    }
    if (to[0].size() == 2) {
        conversion.makeLayer({.kind = "flatten", .inputs = {{"x", x}}});
        return;
    }
    if (x.isFlattened) {
        x.rest.resize(1);
        x.isFlattened = false;
    }
    conversion.makeLayer({.kind = "reshape",
                          .attributes = {{"shape", Shape(to[0].begin() + 1, to[0].end())}},
                          .inputs = {{"x", x}}});
}

/// Returns the whole numbers of an input. Throws Refusal if they depend on the batch.
Shape integersAt(const NodeConversion& conversion, std::size_t input) {
    const ShapePerBatch numbers = conversion.constantIntegers(input);
    if (numbers[0] != numbers[1]) {
        throw Refusal(fmt::format("its input {} depends on the batch", input));
    }
    return numbers[0];
}

/// Returns whole numbers that operators gave as an attribute before `sinceInput`; empty if the node
/// does not give them.
Shape integersOf(NodeConversion& conversion, const char* attribute, std::size_t input,
                 std::int64_t sinceInput) {
    if (conversion.opset() < sinceInput) {
        return conversion.attributes.wholes(attribute);
    }
    return conversion.hasInput(input) ? integersAt(conversion, input) : Shape{};
}

/// True for operators whose layers take any number but 0 for true.
bool takesConditions(const std::string& op) {
    return op == "And" || op == "Or" || op == "Not" || op == "Where";
}

} // namespace

void convertReshape(NodeConversion& conversion) {
    const Shape attribute = conversion.attributes.wholes("shape");
    ShapePerBatch targets = conversion.opset() < 5 ? ShapePerBatch{attribute, attribute}
                                                   : conversion.constantIntegers(1);
    const bool zeroIsZero = conversion.attributes.whole("allowzero", 0) != 0;
    const bool isFixed = targets[0] == targets[1] && !targets[0].empty() &&
                         conversion.fixedBatch() > 0 && targets[0][0] == conversion.fixedBatch();
    ShapePerBatch to;
    for (std::size_t k = 0; k < to.size(); ++k) {
        if (isFixed) {
            targets[k][0] = batches[k];
        }
        to[k] = reshapedShape(conversion.inputShapes(0)[k], targets[k], zeroIsZero);
    }
    becomes(conversion, to);
}

void convertFlatten(NodeConversion& conversion) {
    const auto rank = static_cast<std::int64_t>(conversion.inputRank(0));
    const std::int64_t axis = conversion.attributes.whole("axis", 1);
    const std::int64_t from =
        axis == rank ? rank
                     : static_cast<std::int64_t>(axisFromFront(axis, conversion.inputRank(0)));
    ShapePerBatch to;
    for (std::size_t k = 0; k < to.size(); ++k) {
        const Shape shape = conversion.inputShapes(0)[k];
        to[k] = {productOf(shape.begin(), shape.begin() + from),
                 productOf(shape.begin() + from, shape.end())};
    }
    becomes(conversion, to);
}

void convertSqueeze(NodeConversion& conversion) {
    const Shape axes = integersOf(conversion, "axes", 1, 13);
    ShapePerBatch to;
    for (std::size_t k = 0; k < to.size(); ++k) {
        const Shape from = conversion.inputShapes(0)[k];
        std::vector<bool> goes(from.size(), false);
        for (const std::int64_t axis : axes) {
            goes[axisFromFront(axis, from.size())] = true;
        }
        for (std::size_t dim = 0; dim < from.size(); ++dim) {
            if (goes[dim] && from[dim] != 1) {
                throw Refusal(fmt::format("its axis {} has size {}, not 1", dim, from[dim]));
            }
            if (!goes[dim] && (!axes.empty() || from[dim] != 1)) {
                to[k].push_back(from[dim]);
            }
        }
    }
    becomes(conversion, to);
}

void convertUnsqueeze(NodeConversion& conversion) {
    const Shape axes = integersOf(conversion, "axes", 1, 13);
    ShapePerBatch to;
    for (std::size_t k = 0; k < to.size(); ++k) {
        const Shape from = conversion.inputShapes(0)[k];
        std::vector<bool> isNew(from.size() + axes.size(), false);
        for (const std::int64_t axis : axes) {
            const std::size_t dim = axisFromFront(axis, isNew.size());
            if (isNew[dim]) {
                throw Refusal("its axes occur twice");
            }
            isNew[dim] = true;
        }
        std::size_t next = 0;
        for (const bool isOne : isNew) {
            to[k].push_back(isOne ? 1 : from[next++]);
        }
    }
    becomes(conversion, to);
}

void convertTranspose(NodeConversion& conversion) {
    const std::size_t rank = conversion.inputRank(0);
    Shape order = conversion.attributes.wholes("perm");
    if (order.empty()) {
        for (std::size_t k = rank; k-- > 0;) {
            order.push_back(static_cast<std::int64_t>(k));
        }
    }
    if (order.size() != rank) {
        throw Refusal("its perm does not have a dim for each of its input's");
    }
    ShapePerBatch to;
    std::int64_t last = -1;
    bool keepsOrder = true;
    for (const std::int64_t dim : order) {
        const std::size_t from = axisFromFront(dim, rank);
        for (std::size_t k = 0; k < to.size(); ++k) {
            to[k].push_back(conversion.inputShapes(0)[k][from]);
        }
        if (to[0].back() != 1) { // moving a dim of size 1 moves no element
            keepsOrder = keepsOrder && static_cast<std::int64_t>(from) > last;
            last = static_cast<std::int64_t>(from);
        }
    }
    if (keepsOrder) {
        becomes(conversion, to);
        return;
    }
    if (axisFromFront(order[0], rank) != 0) {
        throw Refusal(fmt::format("moves the dims of {} to the order {}, and so the batch",
                                  withBatch(conversion.inputShapes(0)[0]), toString(order)));
    }
    conversion.makeLayer({.kind = "transpose",
                          .attributes = {{"order", Shape(order.begin() + 1, order.end())}},
                          .inputs = {{"x", conversion.computedInput(0)}}});
}

namespace {

void convertBlocks(NodeConversion& conversion, const char* kind, std::string mode) {
    conversion.makeLayer({.kind = kind,
                          .attributes = {{"block", conversion.attributes.whole("blocksize", 0)},
                                         {"mode", std::move(mode)}},
                          .inputs = {{"x", conversion.computedInput(0)}}});
}

/// Numbers beyond every size; larger ones are no more than this.
constexpr std::int64_t beyond = std::numeric_limits<std::int32_t>::max();

/// Returns axes from the front, by default all or the first `count`. Throws Refusal if one occurs
/// twice.
std::vector<std::size_t> axesOf(const Shape& given, std::size_t count, std::size_t rank) {
    std::vector<std::size_t> axes;
    for (std::size_t k = 0; k < (given.empty() ? count : given.size()); ++k) {
        const std::size_t axis =
            axisFromFront(given.empty() ? static_cast<std::int64_t>(k) : given[k], rank);
        if (std::ranges::find(axes, axis) != axes.end()) {
            throw Refusal("its axes occur twice");
        }
        axes.push_back(axis);
    }
    return axes;
}

/// True if positions `start` to `end` of the batch are all of it.
bool isWholeBatch(const NodeConversion& conversion, std::int64_t start,
                  const std::array<std::int64_t, 2>& ends, std::int64_t step) {
    const std::int64_t fixed = conversion.fixedBatch();
    const bool reachesEnd = (ends[0] == batches[0] && ends[1] == batches[1]) ||
                            std::min(ends[0], ends[1]) >= beyond ||
                            (fixed > 0 && std::min(ends[0], ends[1]) >= fixed);
    return start == 0 && reachesEnd && step == 1;
}

} // namespace

void convertDepthToSpace(NodeConversion& conversion) {
    const std::string mode = conversion.attributes.text("mode", "DCR");
    convertBlocks(conversion, "depth_to_space", mode);
}

void convertSpaceToDepth(NodeConversion& conversion) {
    convertBlocks(conversion, "space_to_depth", "DCR");
}

void convertSlice(NodeConversion& conversion) {
    const bool areInputs = conversion.opset() >= 10;
    const Shape starts =
        areInputs ? integersAt(conversion, 1) : conversion.attributes.wholes("starts");
    const Shape attribute = conversion.attributes.wholes("ends");
    const ShapePerBatch ends =
        areInputs ? conversion.constantIntegers(2) : ShapePerBatch{attribute, attribute};
    const std::vector<std::size_t> axes =
        axesOf(integersOf(conversion, "axes", 3, 10), starts.size(), conversion.inputRank(0));
    Shape steps = areInputs && conversion.hasInput(4) ? integersAt(conversion, 4) : Shape{};
    steps.resize(steps.empty() ? starts.size() : steps.size(), 1);
    if (ends[0].size() != starts.size() || axes.size() != starts.size() ||
        steps.size() != starts.size()) {
        throw Refusal("its starts, ends, axes and steps do not fit");
    }
    Shape dims;
    Shape from;
    Shape to;
    Shape by;
    for (std::size_t k = 0; k < axes.size(); ++k) {
        if (axes[k] == 0) {
            if (!isWholeBatch(conversion, starts[k], {ends[0][k], ends[1][k]}, steps[k])) {
                throw Refusal("takes a part of the batch");
            }
            continue;
        }
        if (ends[0][k] != ends[1][k]) {
            throw Refusal("its ends depend on the batch");
        }
        const std::int64_t size = conversion.inputShapes(0)[0][axes[k]];
        dims.push_back(static_cast<std::int64_t>(axes[k]));
        from.push_back(std::clamp(starts[k], -size, beyond));
        to.push_back(std::clamp(ends[0][k], -beyond, beyond));
        by.push_back(std::clamp(steps[k], -beyond, beyond));
    }
    if (dims.empty()) {
        conversion.passInput("takes the whole batch");
        return;
    }
    conversion.makeLayer(
        {.kind = "slice",
         .attributes = {{"dims", dims}, {"starts", from}, {"stops", to}, {"steps", by}},
         .inputs = {{"x", conversion.computedInput(0)}}});
}

void convertSplit(NodeConversion& conversion) {
    const std::size_t axis =
        axisFromFront(conversion.attributes.whole("axis", 0), conversion.inputRank(0));
    if (axis == 0) {
        throw Refusal("divides the batch");
    }
    const std::int64_t size = conversion.inputShapes(0)[0][axis];
    const auto count = static_cast<std::int64_t>(conversion.node().outputs.size());
    Shape sizes = integersOf(conversion, "split", 1, 13);
    if (sizes.empty()) {
        const std::int64_t parts =
            conversion.opset() < 18 ? count : conversion.attributes.whole("num_outputs", count);
        if (conversion.opset() < 18 && size % count != 0) {
            throw Refusal(fmt::format("divides {} positions in {} parts, which cannot be equal",
                                      size, count));
        }
        const std::int64_t each = (size + count - 1) / count;
        if (parts != count || (count - 1) * each >= size) {
            throw Refusal(fmt::format("has {} outputs, and does not divide {} positions for them",
                                      count, size));
        }
        sizes.assign(static_cast<std::size_t>(count), each);
        sizes.back() = size - (count - 1) * each;
    }
    if (static_cast<std::int64_t>(sizes.size()) != count) {
        throw Refusal(fmt::format("has {} outputs for {} parts", count, sizes.size()));
    }
    conversion.makeLayerWithOutputs(
        {.kind = "split",
         .attributes = {{"sizes", sizes}, {"dim", static_cast<std::int64_t>(axis)}},
         .inputs = {{"x", conversion.computedInput(0)}}});
}

void convertPad(NodeConversion& conversion) {
    const std::size_t rank = conversion.inputRank(0);
    const Shape pads = integersOf(conversion, "pads", 1, 11);
    const Shape given =
        conversion.opset() >= 18 && conversion.hasInput(3) ? integersAt(conversion, 3) : Shape{};
    const std::vector<std::size_t> axes = axesOf(given, rank, rank);
    if (pads.size() != 2 * axes.size()) {
        throw Refusal("its pads do not have two numbers for each axis");
    }
    double value = 0;
    if (conversion.opset() < 11) {
        value = conversion.attributes.real("value", 0);
    } else if (conversion.hasInput(2)) {
        const TensorPointer constant = conversion.constantInput(2);
        if (constant->size() != 1 || !constant->isReal()) {
            throw Refusal("its constant_value is no number");
        }
        value = constant->real(0);
    }
    Shape dims;
    Shape before;
    Shape after;
    for (std::size_t k = 0; k < axes.size(); ++k) {
        const std::int64_t first = pads[k];
        const std::int64_t second = pads[k + axes.size()];
        if (first == 0 && second == 0) {
            continue;
        }
        if (axes[k] == 0) {
            throw Refusal("pads the batch");
        }
        dims.push_back(static_cast<std::int64_t>(axes[k]));
        before.push_back(first);
        after.push_back(second);
    }
    const std::string mode = conversion.attributes.text("mode", "constant");
    if (dims.empty()) {
        conversion.passInput("adds nothing");
        return;
    }
    conversion.makeLayer({.kind = "pad",
                          .attributes = {{"dims", dims},
                                         {"before", before},
                                         {"after", after},
                                         {"mode", mode},
                                         {"value", value}},
                          .inputs = {{"x", conversion.computedInput(0)}}});
}

void convertExpand(NodeConversion& conversion) {
    const ShapePerBatch targets = conversion.constantIntegers(1);
    ShapePerBatch to;
    for (std::size_t k = 0; k < targets.size(); ++k) {
        to[k] = conversion.inputShapes(0)[k];
        Shape target = targets[k];
        const bool isFixed = targets[0] == targets[1] && conversion.fixedBatch() > 0 &&
                             target.size() == to[k].size() && target[0] == conversion.fixedBatch();
        if (isFixed) {
            target[0] = batches[k];
        }
        if (target.size() > to[k].size()) {
            throw Refusal("adds dims before the batch");
        }
        for (std::size_t back = 1; back <= target.size(); ++back) {
            std::int64_t& size = to[k][to[k].size() - back];
            const std::int64_t wanted = target[target.size() - back];
            if (wanted != 1 && wanted != size && size != 1) {
                throw Refusal(fmt::format("repeats {} to {}, which have other sizes than 1",
                                          withBatch(conversion.inputShapes(0)[k]),
                                          toString(target)));
            }
            size = wanted == 1 ? size : wanted;
        }
    }
    const Shape rest(to[0].begin() + 1, to[0].end());
    if (rest != Shape(to[1].begin() + 1, to[1].end())) {
        throw Refusal("its shape depends on the batch");
    }
    if (rest == conversion.computedInput(0).rest) {
        conversion.passInput("repeats nothing");
        return;
    }
    conversion.makeLayer({.kind = "expand",
                          .attributes = {{"shape", rest}},
                          .inputs = {{"x", conversion.computedInput(0)}}});
}

void convertTile(NodeConversion& conversion) {
    const std::size_t rank = conversion.inputRank(0);
    const Shape repeats = integersAt(conversion, 1);
    if (repeats.size() != rank) {
        throw Refusal("its repeats do not have a number for each dim");
    }
    if (repeats[0] != 1) {
        throw Refusal("repeats the batch");
    }
    conversion.makeLayer({.kind = "tile",
                          .attributes = {{"repeats", Shape(repeats.begin() + 1, repeats.end())}},
                          .inputs = {{"x", conversion.computedInput(0)}}});
}

void convertConcat(NodeConversion& conversion) {
    const std::size_t axis =
        axisFromFront(conversion.attributes.whole("axis", 1), conversion.inputRank(0));
    if (axis == 0) {
        throw Refusal("concatenates along the batch");
    }
    if (conversion.inputCount() == 1) {
        conversion.passInput("concatenates one value");
        return;
    }
    LayerRequest request{.kind = "concat",
                         .attributes = {{"dim", static_cast<std::int64_t>(axis)}}};
    for (std::size_t k = 0; k < conversion.inputCount(); ++k) {
        request.inputs.emplace_back(fmt::format("x{}", k), conversion.computedInput(k));
    }
    conversion.makeLayer(std::move(request));
}

void convertIdentity(NodeConversion& conversion) { conversion.passInput("is the identity"); }

void convertCast(NodeConversion& conversion) {
    const auto to = static_cast<Element>(conversion.attributes.whole("to", 0));
    conversion.attributes.skip("saturate");
    conversion.attributes.skip("round_mode");
    const bool isReal = isFloating(conversion.computedInput(0).dtype);
    const std::vector<std::string> readers =
        conversion.maker().readingOps(conversion.node().outputs.front());
    if (isReal && to == Element::boolean && std::ranges::all_of(readers, takesConditions)) {
        conversion.passInput("every number but 0 is true for its readers");
        return;
    }
    const bool isWhole = to == Element::i32 || to == Element::i64;
    if (isReal ? !isFloating(to) : !isWhole) {
        throw Refusal(fmt::format("converts {} to {}; Weft has no layer for it",
                                  nameOf(conversion.computedInput(0).dtype), nameOf(to)));
    }
    conversion.passInput(isReal ? "values are f32 throughout" : "is a conversion of whole numbers");
}

} // namespace weft::onnx
