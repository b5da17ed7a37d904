// SPDX-License-Identifier: Apache-2.0
#include "exchange/onnx/fold.h"
#include "exchange/onnx/folding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace weft::onnx {

namespace {

Tensor withShape(Tensor tensor, Shape shape) {
    tensor.shape = std::move(shape);
    return tensor;
}

Tensor gather(NodeFolding& folding) {
    const Tensor& data = folding.input(0);
    const std::size_t axis =
        axisFromFront(folding.attributes().whole("axis", 0), data.shape.size());
    const Shape indices = folding.integers(1);
    Shape shape(data.shape.begin(), data.shape.begin() + static_cast<std::ptrdiff_t>(axis));
    const std::int64_t before = elementCount(shape);
    const Shape tail(data.shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1, data.shape.end());
    const std::int64_t after = elementCount(tail);
    shape.insert(shape.end(), folding.input(1).shape.begin(), folding.input(1).shape.end());
    shape.insert(shape.end(), tail.begin(), tail.end());
    requireFewRepeats(shape, data.size() + indices.size());
    Tensor made = zeros(data.element, shape);
    if (after == 0) {
        return made;
    }
    std::size_t to = 0;
    for (std::int64_t b = 0; b < before; ++b) {
        for (std::int64_t index : indices) {
            index += index < 0 ? data.shape[axis] : 0;
            if (index < 0 || index >= data.shape[axis]) {
                throw Refusal(fmt::format("its index {} is out of range", index));
            }
            for (std::int64_t a = 0; a < after; ++a, ++to) {
                const auto at =
                    static_cast<std::size_t>((b * data.shape[axis] + index) * after + a);
                data.isReal() ? void(made.reals[to] = data.reals[at])
                              : void(made.wholes[to] = data.wholes[at]);
            }
        }
    }
    return made;
}

Tensor concat(NodeFolding& folding) {
    const std::size_t rank = folding.input(0).shape.size();
    const std::size_t axis = axisFromFront(folding.attributes().whole("axis", 1), rank);
    Shape shape = folding.input(0).shape;
    for (std::size_t k = 1; k < folding.inputCount(); ++k) {
        Shape other = folding.input(k).shape;
        if (other.size() != rank || folding.input(k).isReal() != folding.input(0).isReal()) {
            throw Refusal("its operands do not fit");
        }
        shape[axis] = checkedSum(shape[axis], other[axis]);
        other[axis] = shape[axis];
        if (other != shape) {
            throw Refusal("its operands do not fit");
        }
    }
    Tensor made = zeros(folding.input(0).element, shape);
    const Shape strides = stridesOf(shape);
    std::int64_t first = 0;
    for (std::size_t k = 0; k < folding.inputCount(); ++k) {
        const Tensor& from = folding.input(k);
        walk(from.shape, strides, first * strides[axis], [&](std::size_t at, std::size_t to) {
            from.isReal() ? void(made.reals[to] = from.reals[at])
                          : void(made.wholes[to] = from.wholes[at]);
        });
        first += from.shape[axis];
    }
    return made;
}

Tensor slice(NodeFolding& folding) {
    const Tensor& data = folding.input(0);
    Shape starts;
    Shape ends;
    Shape axes;
    Shape steps;
    if (folding.opset() < 10) {
        starts = folding.attributes().wholes("starts");
        ends = folding.attributes().wholes("ends");
        axes = folding.attributes().wholes("axes");
    } else {
        starts = folding.integers(1);
        ends = folding.integers(2);
        axes = folding.hasInput(3) ? folding.integers(3) : Shape{};
        steps = folding.hasInput(4) ? folding.integers(4) : Shape{};
    }
    if (axes.empty()) {
        axes.resize(starts.size());
        std::iota(axes.begin(), axes.end(), std::int64_t{0});
    }
    steps.resize(starts.size(), 1);
    if (ends.size() != starts.size() || axes.size() != starts.size()) {
        throw Refusal("its starts, ends and axes do not fit");
    }
    Shape shape = data.shape;
    Shape strides = stridesOf(data.shape);
    std::vector<bool> isCut(shape.size(), false);
    std::int64_t first = 0;
    for (std::size_t k = 0; k < starts.size(); ++k) {
        const std::size_t axis = axisFromFront(axes[k], data.shape.size());
        if (isCut[axis]) {
            throw Refusal("its axes occur twice");
        }
        isCut[axis] = true;
        const std::int64_t size = data.shape[axis];
        const std::int64_t step = steps[k];
        if (step == 0 || step == std::numeric_limits<std::int64_t>::min()) {
            throw Refusal("its step is 0");
        }
        const auto inside = [&](std::int64_t x) {
            x = x < 0 ? checkedSum(x, size) : x;
            return step > 0 ? std::clamp<std::int64_t>(x, 0, size)
                            : std::clamp<std::int64_t>(x, -1, size - 1);
        };
        const std::int64_t begin = inside(std::max(starts[k], -size));
        const std::int64_t end = ends[k] < -size ? (step > 0 ? 0 : -1) : inside(ends[k]);
        const std::int64_t room = step > 0 ? end - begin : begin - end;
        const std::int64_t length = std::abs(step);
        shape[axis] = room <= 0 ? 0 : (room - 1) / length + 1;
        first += shape[axis] == 0 ? 0 : begin * strides[axis];
        strides[axis] = shape[axis] <= 1 ? 0 : strides[axis] * step;
    }
    return gatherStrided(data, shape, strides, first);
}

Tensor transpose(NodeFolding& folding) {
    const Tensor& data = folding.input(0);
    Shape order = folding.attributes().wholes("perm");
    if (order.empty()) {
        for (std::size_t k = data.shape.size(); k-- > 0;) {
            order.push_back(static_cast<std::int64_t>(k));
        }
    }
    const Shape own = stridesOf(data.shape);
    Shape shape;
    Shape strides;
    Shape sorted = order;
    std::ranges::sort(sorted);
    for (std::size_t k = 0; k < sorted.size(); ++k) {
        if (sorted.size() != own.size() || sorted[k] != static_cast<std::int64_t>(k)) {
            throw Refusal("its perm is no order of the dims");
        }
    }
    for (const std::int64_t dim : order) {
        shape.push_back(data.shape[static_cast<std::size_t>(dim)]);
        strides.push_back(own[static_cast<std::size_t>(dim)]);
    }
    return gatherStrided(data, shape, strides, 0);
}

Tensor unsqueeze(NodeFolding& folding) {
    const Shape axes = folding.integersOf("axes", 1, 13);
    Shape shape = folding.input(0).shape;
    const std::size_t rank = shape.size() + axes.size();
    std::vector<bool> isNew(rank, false);
    for (const std::int64_t axis : axes) {
        isNew[axisFromFront(axis, rank)] = true;
    }
    Shape made;
    std::size_t next = 0;
    for (std::size_t k = 0; k < rank; ++k) {
        if (!isNew[k] && next == shape.size()) {
            throw Refusal("its axes occur twice");
        }
        made.push_back(isNew[k] ? 1 : shape[next++]);
    }
    return withShape(folding.input(0), made);
}

Tensor squeeze(NodeFolding& folding) {
    const Shape axes = folding.integersOf("axes", 1, 13);
    const Shape& shape = folding.input(0).shape;
    std::vector<bool> leaves(shape.size(), false);
    for (const std::int64_t axis : axes) {
        leaves[axisFromFront(axis, shape.size())] = true;
    }
    Shape made;
    for (std::size_t k = 0; k < shape.size(); ++k) {
        if (!(axes.empty() ? shape[k] == 1 : leaves[k])) {
            made.push_back(shape[k]);
        } else if (shape[k] != 1) {
            throw Refusal(fmt::format("its axis {} has size {}, not 1", k, shape[k]));
        }
    }
    return withShape(folding.input(0), made);
}

Tensor expand(NodeFolding& folding) {
    return broadcast(folding.input(0), broadcastShape(folding.input(0).shape, folding.integers(1)));
}

Tensor constantOfShape(NodeFolding& folding) {
    const Attribute* value = folding.attributes().any("value");
    Tensor one = zeros(Element::f32, {1});
    if (value != nullptr) {
        if (value->tensor == nullptr || value->tensor->size() != 1) {
            throw Refusal("its value is not one number that Weft can read");
        }
        one = *value->tensor;
    }
    one.shape.clear();
    return broadcast(one, folding.integers(0));
}

Tensor range(NodeFolding& folding) {
    const Tensor& start = folding.input(0);
    if (start.size() != 1 || folding.input(1).size() != 1 || folding.input(2).size() != 1) {
        throw Refusal("its operands are not single numbers");
    }
    const double delta = folding.input(2).real(0);
    const double count =
        delta == 0 ? -1
                   : std::max(0.0, std::ceil((folding.input(1).real(0) - start.real(0)) / delta));
    if (!(count >= 0 && count <= static_cast<double>(mostRepeated))) {
        throw Refusal("it makes a range without an end");
    }
    Tensor made = zeros(start.element, {static_cast<std::int64_t>(count)});
    for (std::size_t k = 0; k < made.size(); ++k) {
        const double x = start.real(0) + static_cast<double>(k) * delta;
        if (!made.isReal() && !(std::abs(x) < largestWhole)) {
            refuseOverflow();
        }
        made.isReal() ? void(made.reals[k] = static_cast<float>(x))
                      : void(made.wholes[k] = static_cast<std::int64_t>(x));
    }
    return made;
}

Tensor shapeOf(NodeFolding& folding) {
    const Shape& shape = folding.input(0).shape;
    const auto rank = static_cast<std::int64_t>(shape.size());
    const auto clamped = [&](std::int64_t x) {
        return std::clamp<std::int64_t>(x < 0 ? checkedSum(x, rank) : x, 0, rank);
    };
    const std::int64_t start = clamped(folding.attributes().whole("start", 0));
    const std::int64_t end = clamped(folding.attributes().whole("end", rank));
    return *integerTensor(start < end ? Shape(shape.begin() + start, shape.begin() + end)
                                      : Shape{});
}

Tensor sizeOf(NodeFolding& folding) {
    Tensor made = *integerTensor({static_cast<std::int64_t>(folding.input(0).size())});
    made.shape.clear();
    return made;
}

Tensor constant(NodeFolding& folding) {
    AttributeReader& attributes = folding.attributes();
    for (const char* name : {"value", "value_float", "value_int", "value_floats", "value_ints"}) {
        const Attribute* found = attributes.any(name);
        if (found == nullptr) {
            continue;
        }
        switch (found->type) {
        case Attribute::ValueType::tensor: return *found->tensor;
        case Attribute::ValueType::real: return *floatTensor({}, {static_cast<float>(found->real)});
        case Attribute::ValueType::whole: {
            Tensor made = *integerTensor({found->whole});
            made.shape.clear();
            return made;
        }
        case Attribute::ValueType::reals:
            return *floatTensor({static_cast<std::int64_t>(found->reals.size())},
                                std::vector<float>(found->reals.begin(), found->reals.end()));
        case Attribute::ValueType::wholes: return *integerTensor(found->wholes);
        default: break;
        }
    }
    throw Refusal("its value is text or sparse");
}
} // namespace

std::vector<FoldRow> shapeFoldRows() {
    return {{"Constant", constant},
            {"ConstantOfShape", constantOfShape},
            {"Shape", shapeOf},
            {"Size", sizeOf},
            {"Range", range},
            {"Identity", [](NodeFolding& f) { return f.input(0); }},
            {"Gather", gather},
            {"Concat", concat},
            {"Slice", slice},
            {"Transpose", transpose},
            {"Unsqueeze", unsqueeze},
            {"Squeeze", squeeze},
            {"Expand", expand},
            {"Reshape",
             [](NodeFolding& f) {
                 const bool zeroIsZero = f.attributes().whole("allowzero", 0) != 0;
                 return withShape(f.input(0),
                                  reshapedShape(f.input(0).shape, f.integers(1), zeroIsZero));
             }},
            {"Flatten", [](NodeFolding& f) {
                 const Shape& shape = f.input(0).shape;
                 const std::int64_t axis = f.attributes().whole("axis", 1);
                 const auto rank = static_cast<std::int64_t>(shape.size());
                 const auto from = axis == rank ? shape.size() : axisFromFront(axis, shape.size());
                 const std::int64_t rows = elementCount(
                     Shape(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(from)));
                 const std::int64_t columns = elementCount(
                     Shape(shape.begin() + static_cast<std::ptrdiff_t>(from), shape.end()));
                 return withShape(f.input(0), {rows, columns});
             }}};
}

} // namespace weft::onnx
