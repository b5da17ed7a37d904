// SPDX-License-Identifier: Apache-2.0
// Operators that move elements or change nothing.
#include "exchange/onnx/convert.h"

#include <fmt/format.h>

#include <algorithm>

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
/// makes a flatten layer. Throws Refusal for other shapes.
void becomes(NodeConversion& conversion, const ShapePerBatch& to) {
    const ConvertedValue& x = conversion.computedInput(0);
    const ShapePerBatch from = conversion.inputShapes(0);
    for (std::size_t k = 0; k < to.size(); ++k) {
        if (to[k].empty() || to[k][0] != batches[k]) {
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
    if (to[0].size() != 2) {
        throw Refusal(fmt::format("makes {} of {}; only [batch, features] is imported",
                                  withBatch(to[0]), withBatch(from[0])));
    }
    conversion.makeLayer({.kind = "flatten", .inputs = {{"x", x}}});
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
    Shape axes = conversion.attributes.wholes("axes");
    if (conversion.opset() >= 13 && conversion.hasInput(1)) {
        axes = conversion.constantIntegers(1)[0];
    }
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
    if (!keepsOrder) {
        throw Refusal(fmt::format("moves the dims of {} to the order {}; Weft has no layer for it",
                                  withBatch(conversion.inputShapes(0)[0]), toString(order)));
    }
    becomes(conversion, to);
}

void convertExpand(NodeConversion& conversion) {
    const ShapePerBatch targets = conversion.constantIntegers(1);
    for (std::size_t k = 0; k < targets.size(); ++k) {
        const Shape from = conversion.inputShapes(0)[k];
        Shape target = targets[k];
        const bool isFixed = targets[0] == targets[1] && conversion.fixedBatch() > 0 &&
                             target.size() == from.size() && target[0] == conversion.fixedBatch();
        if (isFixed) {
            target[0] = batches[k];
        }
        bool fits = target.size() <= from.size();
        for (std::size_t dim = 0; fits && dim < target.size(); ++dim) {
            fits = target[target.size() - 1 - dim] == 1 ||
                   target[target.size() - 1 - dim] == from[from.size() - 1 - dim];
        }
        if (!fits) {
            throw Refusal("repeats elements; Weft has no layer for it");
        }
    }
    conversion.passInput("repeats nothing");
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
