// SPDX-License-Identifier: Apache-2.0
#include "exchange/onnx/fold.h"

#include "exchange/onnx/node_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>

namespace weft::onnx {

namespace {

/// Elements of a folded tensor.
constexpr std::int64_t mostElements = std::int64_t{1} << 27U;

std::int64_t countOf(const Shape& shape) {
    std::int64_t count = 1;
    for (const std::int64_t dim : shape) {
        if (dim < 0 || (dim > 0 && count > mostElements / dim)) {
            throw Refusal(fmt::format("its constant result has the shape {}, which is too large",
                                      toString(shape)));
        }
        count *= dim;
    }
    return count;
}

Tensor blank(Element element, Shape shape) {
    Tensor made{.element = element, .shape = std::move(shape)};
    const auto count = static_cast<std::size_t>(countOf(made.shape));
    made.isReal() ? made.reals.resize(count) : made.wholes.resize(count);
    return made;
}

/// The numbers of elements between neighbours along each dim.
Shape stridesOf(const Shape& shape) {
    Shape strides(shape.size(), 1);
    for (std::size_t k = shape.size(); k-- > 1;) {
        strides[k - 1] = strides[k] * shape[k];
    }
    return strides;
}

/// Calls `each(index in the result, index in the operand)` for all elements of `shape`, where the
/// operand has these strides and begins at `first`.
template <class Each>
void walk(const Shape& shape, const Shape& strides, std::int64_t first, Each each) {
    const std::int64_t count = countOf(shape);
    Shape position(shape.size(), 0);
    std::int64_t from = first;
    for (std::int64_t k = 0; k < count; ++k) {
        each(static_cast<std::size_t>(k), static_cast<std::size_t>(from));
        for (std::size_t dim = shape.size(); dim-- > 0;) {
            from += strides[dim];
            if (++position[dim] < shape[dim]) {
                break;
            }
            from -= strides[dim] * shape[dim];
            position[dim] = 0;
        }
    }
}

Tensor gathered(const Tensor& from, Shape shape, const Shape& strides, std::int64_t first) {
    Tensor made = blank(from.element, std::move(shape));
    walk(made.shape, strides, first, [&](std::size_t to, std::size_t at) {
        from.isReal() ? void(made.reals[to] = from.reals[at])
                      : void(made.wholes[to] = from.wholes[at]);
    });
    return made;
}

Shape broadcastShape(const Shape& a, const Shape& b) {
    Shape made(std::max(a.size(), b.size()), 1);
    for (std::size_t k = 0; k < made.size(); ++k) {
        const std::int64_t x = k < a.size() ? a[a.size() - 1 - k] : 1;
        const std::int64_t y = k < b.size() ? b[b.size() - 1 - k] : 1;
        if (x != y && x != 1 && y != 1) {
            throw Refusal(
                fmt::format("its operands {} and {} do not fit", toString(a), toString(b)));
        }
        made[made.size() - 1 - k] = x == 1 ? y : x;
    }
    return made;
}

/// Repeats a tensor along the dims of size 1 that the shape has larger.
Tensor broadcast(const Tensor& from, const Shape& shape) {
    if (from.shape == shape) {
        return from;
    }
    const Shape own = stridesOf(from.shape);
    Shape strides(shape.size(), 0);
    for (std::size_t k = 0; k < own.size(); ++k) {
        strides[strides.size() - 1 - k] =
            from.shape[own.size() - 1 - k] == 1 ? 0 : own[own.size() - 1 - k];
    }
    return gathered(from, shape, strides, 0);
}

class Folding {
public:
    Folding(const Node& node, std::int64_t opset, const std::vector<TensorPointer>& inputs)
        : node_(node), attributes_(node), opset_(opset), inputs_(inputs) {}

    [[nodiscard]] const Node& node() const { return node_; }
    AttributeReader& attributes() { return attributes_; }
    [[nodiscard]] std::int64_t opset() const { return opset_; }
    [[nodiscard]] std::size_t count() const { return inputs_.size(); }
    [[nodiscard]] bool has(std::size_t k) const {
        return k < inputs_.size() && inputs_[k] != nullptr;
    }
    [[nodiscard]] const Tensor& input(std::size_t k) const {
        if (!has(k)) {
            throw Refusal(fmt::format("its input {} is missing", k));
        }
        if (inputs_[k]->element == Element::text || inputs_[k]->element == Element::none) {
            throw Refusal("it computes with text");
        }
        return *inputs_[k];
    }
    [[nodiscard]] Shape list(std::size_t k) const {
        if (input(k).isReal()) {
            throw Refusal(fmt::format("its input {} is not made of whole numbers", k));
        }
        return input(k).wholes;
    }
    [[nodiscard]] std::int64_t one(std::size_t k) const {
        const Shape values = list(k);
        if (values.size() != 1) {
            throw Refusal(fmt::format("its input {} is not one number", k));
        }
        return values.front();
    }
    /// Reads a list that is an attribute before `since`, and an input from then on.
    [[nodiscard]] Shape listOf(std::string_view name, std::size_t k, std::int64_t since) {
        if (opset_ < since) {
            return attributes_.wholes(name);
        }
        return has(k) ? list(k) : Shape{};
    }

private:
    const Node& node_;
    AttributeReader attributes_;
    std::int64_t opset_;
    const std::vector<TensorPointer>& inputs_;
};

// ---- element by element ------------------------------------------------------------------------

using OfWholes = std::int64_t (*)(std::int64_t, std::int64_t);
using OfReals = double (*)(double, double);

/// Up to here a double holds every whole number.
constexpr double largestWhole = 9e15;

[[noreturn]] void refuseOverflow() {
    throw Refusal("its whole numbers overflow, or are divided by 0");
}

std::int64_t sum(std::int64_t a, std::int64_t b) {
    std::int64_t c = 0;
    return __builtin_add_overflow(a, b, &c) ? (refuseOverflow(), 0) : c;
}
std::int64_t difference(std::int64_t a, std::int64_t b) {
    std::int64_t c = 0;
    return __builtin_sub_overflow(a, b, &c) ? (refuseOverflow(), 0) : c;
}
std::int64_t product(std::int64_t a, std::int64_t b) {
    std::int64_t c = 0;
    return __builtin_mul_overflow(a, b, &c) ? (refuseOverflow(), 0) : c;
}
std::int64_t quotient(std::int64_t a, std::int64_t b) {
    if (b == 0 || (b == -1 && a == std::numeric_limits<std::int64_t>::min())) {
        refuseOverflow();
    }
    return a / b;
}
std::int64_t remainder(std::int64_t a, std::int64_t b) {
    if (b == 0 || b == -1) {
        return b == 0 ? (refuseOverflow(), 0) : 0;
    }
    const std::int64_t rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

Tensor binary(Folding& folding, OfWholes wholes, OfReals reals) {
    Tensor made = folding.input(0);
    for (std::size_t k = 1; k < folding.count(); ++k) {
        const Shape shape = broadcastShape(made.shape, folding.input(k).shape);
        made = broadcast(made, shape);
        const Tensor other = broadcast(folding.input(k), shape);
        if (made.isReal() != other.isReal()) {
            throw Refusal("its operands have different types");
        }
        for (std::size_t i = 0; i < made.wholes.size(); ++i) {
            made.wholes[i] = wholes(made.wholes[i], other.wholes[i]);
        }
        for (std::size_t i = 0; i < made.reals.size(); ++i) {
            made.reals[i] = static_cast<float>(
                reals(static_cast<double>(made.reals[i]), static_cast<double>(other.reals[i])));
        }
    }
    return made;
}

Tensor compare(Folding& folding, bool (*holds)(double, double)) {
    const Shape shape = broadcastShape(folding.input(0).shape, folding.input(1).shape);
    const Tensor a = broadcast(folding.input(0), shape);
    const Tensor b = broadcast(folding.input(1), shape);
    Tensor made = blank(Element::boolean, shape);
    for (std::size_t k = 0; k < made.wholes.size(); ++k) {
        made.wholes[k] = holds(a.real(k), b.real(k)) ? 1 : 0;
    }
    return made;
}

Tensor unary(Folding& folding, double (*of)(double)) {
    Tensor made = folding.input(0);
    std::ranges::transform(made.reals, made.reals.begin(),
                           [&](float x) { return static_cast<float>(of(static_cast<double>(x))); });
    std::ranges::transform(made.wholes, made.wholes.begin(), [&](std::int64_t x) {
        const double result = of(static_cast<double>(x));
        if (!(std::abs(result) < largestWhole)) {
            refuseOverflow();
        }
        return static_cast<std::int64_t>(result);
    });
    return made;
}

Tensor cast(Folding& folding) {
    const auto to = static_cast<Element>(folding.attributes().whole("to", 1));
    folding.attributes().skip("saturate");
    if (to == Element::text || to == Element::none) {
        throw Refusal("it converts to text");
    }
    const Tensor& from = folding.input(0);
    if (isFloating(to) && from.isReal()) {
        Tensor made = from;
        made.element = to;
        return made;
    }
    Tensor made = blank(to, from.shape);
    for (std::size_t k = 0; k < from.size(); ++k) {
        if (made.isReal()) {
            made.reals[k] = static_cast<float>(from.real(k));
        } else if (!from.isReal()) {
            made.wholes[k] =
                to == Element::boolean ? (from.wholes[k] != 0 ? 1 : 0) : from.wholes[k];
        } else if (std::abs(from.real(k)) < 9e18) {
            made.wholes[k] = to == Element::boolean ? (from.real(k) != 0 ? 1 : 0)
                                                    : static_cast<std::int64_t>(from.real(k));
        } else {
            throw Refusal("it converts a number that is too large to a whole one");
        }
    }
    return made;
}

Tensor where(Folding& folding) {
    const Shape shape = broadcastShape(
        folding.input(0).shape, broadcastShape(folding.input(1).shape, folding.input(2).shape));
    const Tensor condition = broadcast(folding.input(0), shape);
    Tensor made = broadcast(folding.input(1), shape);
    const Tensor other = broadcast(folding.input(2), shape);
    if (made.isReal() != other.isReal()) {
        throw Refusal("its operands have different types");
    }
    for (std::size_t k = 0; k < made.size(); ++k) {
        if (condition.real(k) == 0) {
            made.isReal() ? void(made.reals[k] = other.reals[k])
                          : void(made.wholes[k] = other.wholes[k]);
        }
    }
    return made;
}

/// Weights with a scale, and a zero point if there is one: per tensor, or per slice of an axis.
Tensor dequantized(Folding& folding) {
    const Tensor& from = folding.input(0);
    const Tensor& scale = folding.input(1);
    const std::int64_t axis = folding.attributes().whole("axis", 1);
    folding.attributes().expect("block_size", 0);
    folding.attributes().skip("output_dtype");
    Shape shape(from.shape.size(), 1);
    if (scale.size() != 1) {
        const std::size_t dim = axisFrom(axis, from.shape.size());
        if (scale.shape.size() != 1 || scale.shape[0] != from.shape[dim]) {
            throw Refusal("its scales do not fit its axis");
        }
        shape[dim] = scale.shape[0];
    }
    const auto spread = [&](Tensor tensor) {
        if (tensor.size() != scale.size()) {
            throw Refusal("its zero points do not fit its scales");
        }
        tensor.shape = shape;
        return broadcast(tensor, from.shape);
    };
    const Tensor scales = spread(scale);
    const Tensor zeros =
        folding.has(2) ? spread(folding.input(2)) : blank(Element::i32, from.shape);
    Tensor made = blank(Element::f32, from.shape);
    for (std::size_t k = 0; k < made.reals.size(); ++k) {
        made.reals[k] = static_cast<float>((from.real(k) - zeros.real(k)) * scales.real(k));
    }
    return made;
}

// ---- shapes ------------------------------------------------------------------------------------

Tensor withShape(Tensor tensor, Shape shape) {
    tensor.shape = std::move(shape);
    return tensor;
}

Tensor gather(Folding& folding) {
    const Tensor& data = folding.input(0);
    const std::size_t axis = axisFrom(folding.attributes().whole("axis", 0), data.shape.size());
    const Shape indices = folding.list(1);
    Shape shape(data.shape.begin(), data.shape.begin() + static_cast<std::ptrdiff_t>(axis));
    const std::int64_t before = countOf(shape);
    const Shape tail(data.shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1, data.shape.end());
    const std::int64_t after = countOf(tail);
    shape.insert(shape.end(), folding.input(1).shape.begin(), folding.input(1).shape.end());
    shape.insert(shape.end(), tail.begin(), tail.end());
    Tensor made = blank(data.element, shape);
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

Tensor concat(Folding& folding) {
    const std::size_t rank = folding.input(0).shape.size();
    const std::size_t axis = axisFrom(folding.attributes().whole("axis", 1), rank);
    Shape shape = folding.input(0).shape;
    for (std::size_t k = 1; k < folding.count(); ++k) {
        Shape other = folding.input(k).shape;
        if (other.size() != rank || folding.input(k).isReal() != folding.input(0).isReal()) {
            throw Refusal("its operands do not fit");
        }
        shape[axis] = sum(shape[axis], other[axis]);
        other[axis] = shape[axis];
        if (other != shape) {
            throw Refusal("its operands do not fit");
        }
    }
    Tensor made = blank(folding.input(0).element, shape);
    const Shape strides = stridesOf(shape);
    std::int64_t first = 0;
    for (std::size_t k = 0; k < folding.count(); ++k) {
        const Tensor& from = folding.input(k);
        walk(from.shape, strides, first * strides[axis], [&](std::size_t at, std::size_t to) {
            from.isReal() ? void(made.reals[to] = from.reals[at])
                          : void(made.wholes[to] = from.wholes[at]);
        });
        first += from.shape[axis];
    }
    return made;
}

Tensor slice(Folding& folding) {
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
        starts = folding.list(1);
        ends = folding.list(2);
        axes = folding.has(3) ? folding.list(3) : Shape{};
        steps = folding.has(4) ? folding.list(4) : Shape{};
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
    std::int64_t first = 0;
    for (std::size_t k = 0; k < starts.size(); ++k) {
        const std::size_t axis = axisFrom(axes[k], data.shape.size());
        const std::int64_t size = data.shape[axis];
        const std::int64_t step = steps[k];
        if (step == 0 || step == std::numeric_limits<std::int64_t>::min()) {
            throw Refusal("its step is 0");
        }
        const auto inside = [&](std::int64_t x) {
            x = x < 0 ? sum(x, size) : x;
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
    return gathered(data, shape, strides, first);
}

Tensor transpose(Folding& folding) {
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
    return gathered(data, shape, strides, 0);
}

Tensor unsqueeze(Folding& folding) {
    const Shape axes = folding.listOf("axes", 1, 13);
    Shape shape = folding.input(0).shape;
    const std::size_t rank = shape.size() + axes.size();
    std::vector<bool> isNew(rank, false);
    for (const std::int64_t axis : axes) {
        isNew[axisFrom(axis, rank)] = true;
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

Tensor squeeze(Folding& folding) {
    const Shape axes = folding.listOf("axes", 1, 13);
    const Shape& shape = folding.input(0).shape;
    std::vector<bool> leaves(shape.size(), false);
    for (const std::int64_t axis : axes) {
        leaves[axisFrom(axis, shape.size())] = true;
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

Tensor expand(Folding& folding) {
    return broadcast(folding.input(0), broadcastShape(folding.input(0).shape, folding.list(1)));
}

Tensor constantOfShape(Folding& folding) {
    const Attribute* value = folding.attributes().any("value");
    Tensor one = blank(Element::f32, {1});
    if (value != nullptr && value->tensor != nullptr && value->tensor->size() == 1) {
        one = *value->tensor;
    }
    one.shape.clear();
    return broadcast(one, folding.list(0));
}

Tensor range(Folding& folding) {
    const Tensor& start = folding.input(0);
    if (start.size() != 1 || folding.input(1).size() != 1 || folding.input(2).size() != 1) {
        throw Refusal("its operands are not single numbers");
    }
    const double delta = folding.input(2).real(0);
    const double count =
        delta == 0 ? -1
                   : std::max(0.0, std::ceil((folding.input(1).real(0) - start.real(0)) / delta));
    if (!(count >= 0 && count <= static_cast<double>(mostElements))) {
        throw Refusal("it makes a range without an end");
    }
    Tensor made = blank(start.element, {static_cast<std::int64_t>(count)});
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

Tensor shapeOf(Folding& folding) {
    const Shape& shape = folding.input(0).shape;
    const auto rank = static_cast<std::int64_t>(shape.size());
    const auto clamped = [&](std::int64_t x) {
        return std::clamp<std::int64_t>(x < 0 ? sum(x, rank) : x, 0, rank);
    };
    const std::int64_t start = clamped(folding.attributes().whole("start", 0));
    const std::int64_t end = clamped(folding.attributes().whole("end", rank));
    return *wholesOf(start < end ? Shape(shape.begin() + start, shape.begin() + end) : Shape{});
}

Tensor sizeOf(Folding& folding) {
    Tensor made = *wholesOf({static_cast<std::int64_t>(folding.input(0).size())});
    made.shape.clear();
    return made;
}

Tensor reduce(Folding& folding, std::int64_t inputSince, double begin, OfReals step, bool isMean) {
    const Tensor& from = folding.input(0);
    const Shape axes = folding.listOf("axes", 1, inputSince);
    const bool keeps = folding.attributes().whole("keepdims", 1) != 0;
    if (folding.attributes().whole("noop_with_empty_axes", 0) != 0 && axes.empty()) {
        return from;
    }
    std::vector<bool> goes(from.shape.size(), axes.empty());
    for (const std::int64_t axis : axes) {
        goes[axisFrom(axis, from.shape.size())] = true;
    }
    Shape kept = from.shape;
    Shape shape;
    for (std::size_t k = 0; k < kept.size(); ++k) {
        kept[k] = goes[k] ? 1 : kept[k];
        if (!goes[k] || keeps) {
            shape.push_back(kept[k]);
        }
    }
    Shape strides = stridesOf(kept);
    for (std::size_t k = 0; k < kept.size(); ++k) {
        strides[k] = goes[k] ? 0 : strides[k];
    }
    std::vector<double> results(static_cast<std::size_t>(countOf(kept)), begin);
    walk(from.shape, strides, 0,
         [&](std::size_t at, std::size_t to) { results[to] = step(results[to], from.real(at)); });
    Tensor made = blank(from.element, shape);
    for (std::size_t k = 0; k < results.size(); ++k) {
        const double count = static_cast<double>(from.size()) / static_cast<double>(results.size());
        const double result = isMean ? results[k] / count : results[k];
        if (!made.isReal() && !(std::abs(result) < largestWhole)) {
            refuseOverflow();
        }
        made.isReal() ? void(made.reals[k] = static_cast<float>(result))
                      : void(made.wholes[k] = static_cast<std::int64_t>(result));
    }
    return made;
}

Tensor constant(Folding& folding) {
    AttributeReader& attributes = folding.attributes();
    for (const char* name : {"value", "value_float", "value_int", "value_floats", "value_ints"}) {
        const Attribute* found = attributes.any(name);
        if (found == nullptr) {
            continue;
        }
        switch (found->type) {
        case Attribute::Type::tensor: return *found->tensor;
        case Attribute::Type::real: return *realsOf({}, {static_cast<float>(found->real)});
        case Attribute::Type::whole: {
            Tensor made = *wholesOf({found->whole});
            made.shape.clear();
            return made;
        }
        case Attribute::Type::reals:
            return *realsOf({static_cast<std::int64_t>(found->reals.size())},
                            std::vector<float>(found->reals.begin(), found->reals.end()));
        case Attribute::Type::wholes: return *wholesOf(found->wholes);
        default: break;
        }
    }
    throw Refusal("its value is text or sparse");
}

using FoldOne = std::function<Tensor(Folding&)>;

const std::map<std::string_view, FoldOne>& table() {
    static const std::map<std::string_view, FoldOne> rows = {
        {"Constant", constant},
        {"ConstantOfShape", constantOfShape},
        {"Shape", shapeOf},
        {"Size", sizeOf},
        {"Range", range},
        {"Identity", [](Folding& f) { return f.input(0); }},
        {"Cast", cast},
        {"Gather", gather},
        {"Concat", concat},
        {"Slice", slice},
        {"Transpose", transpose},
        {"Unsqueeze", unsqueeze},
        {"Squeeze", squeeze},
        {"Expand", expand},
        {"Reshape",
         [](Folding& f) {
             const bool zeroIsZero = f.attributes().whole("allowzero", 0) != 0;
             return withShape(f.input(0), reshaped(f.input(0).shape, f.list(1), zeroIsZero));
         }},
        {"Flatten",
         [](Folding& f) {
             const Shape& shape = f.input(0).shape;
             const std::int64_t axis = f.attributes().whole("axis", 1);
             const auto rank = static_cast<std::int64_t>(shape.size());
             const auto from = axis == rank ? shape.size() : axisFrom(axis, shape.size());
             const std::int64_t rows =
                 countOf(Shape(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(from)));
             const std::int64_t columns =
                 countOf(Shape(shape.begin() + static_cast<std::ptrdiff_t>(from), shape.end()));
             return withShape(f.input(0), {rows, columns});
         }},
        {"Add",
         [](Folding& f) { return binary(f, sum, [](double a, double b) { return a + b; }); }},
        {"Sub",
         [](Folding& f) {
             return binary(f, difference, [](double a, double b) { return a - b; });
         }},
        {"Mul",
         [](Folding& f) { return binary(f, product, [](double a, double b) { return a * b; }); }},
        {"Div",
         [](Folding& f) { return binary(f, quotient, [](double a, double b) { return a / b; }); }},
        {"Mod",
         [](Folding& f) {
             const bool isC = f.attributes().whole("fmod", 0) != 0;
             return binary(f,
                           isC ? OfWholes([](std::int64_t a, std::int64_t b) {
                               return b == -1 ? 0 : a - product(quotient(a, b), b);
                           })
                               : OfWholes(remainder),
                           [](double a, double b) { return std::fmod(a, b); });
         }},
        {"Pow",
         [](Folding& f) {
             return binary(
                 f,
                 [](std::int64_t a, std::int64_t b) {
                     const double power = std::pow(static_cast<double>(a), static_cast<double>(b));
                     return std::abs(power) < largestWhole ? static_cast<std::int64_t>(power)
                                                           : (refuseOverflow(), 0);
                 },
                 [](double a, double b) { return std::pow(a, b); });
         }},
        {"Min",
         [](Folding& f) {
             return binary(
                 f, [](std::int64_t a, std::int64_t b) { return std::min(a, b); },
                 [](double a, double b) { return std::min(a, b); });
         }},
        {"Max",
         [](Folding& f) {
             return binary(
                 f, [](std::int64_t a, std::int64_t b) { return std::max(a, b); },
                 [](double a, double b) { return std::max(a, b); });
         }},
        {"Neg", [](Folding& f) { return unary(f, [](double x) { return -x; }); }},
        {"Abs", [](Folding& f) { return unary(f, [](double x) { return std::abs(x); }); }},
        {"Sqrt", [](Folding& f) { return unary(f, [](double x) { return std::sqrt(x); }); }},
        {"Exp", [](Folding& f) { return unary(f, [](double x) { return std::exp(x); }); }},
        {"Log", [](Folding& f) { return unary(f, [](double x) { return std::log(x); }); }},
        {"Floor", [](Folding& f) { return unary(f, [](double x) { return std::floor(x); }); }},
        {"Ceil", [](Folding& f) { return unary(f, [](double x) { return std::ceil(x); }); }},
        {"Reciprocal", [](Folding& f) { return unary(f, [](double x) { return 1 / x; }); }},
        {"Not", [](Folding& f) { return unary(f, [](double x) { return x == 0 ? 1.0 : 0.0; }); }},
        {"Equal", [](Folding& f) { return compare(f, [](double a, double b) { return a == b; }); }},
        {"Less", [](Folding& f) { return compare(f, [](double a, double b) { return a < b; }); }},
        {"Greater",
         [](Folding& f) { return compare(f, [](double a, double b) { return a > b; }); }},
        {"LessOrEqual",
         [](Folding& f) { return compare(f, [](double a, double b) { return a <= b; }); }},
        {"GreaterOrEqual",
         [](Folding& f) { return compare(f, [](double a, double b) { return a >= b; }); }},
        {"And",
         [](Folding& f) { return compare(f, [](double a, double b) { return a * b != 0; }); }},
        {"Or",
         [](Folding& f) {
             return compare(f, [](double a, double b) { return a != 0 || b != 0; });
         }},
        {"Where", where},
        {"ReduceProd",
         [](Folding& f) {
             return reduce(
                 f, 18, 1, [](double a, double b) { return a * b; }, false);
         }},
        {"ReduceSum",
         [](Folding& f) {
             return reduce(
                 f, 13, 0, [](double a, double b) { return a + b; }, false);
         }},
        {"ReduceMean",
         [](Folding& f) {
             return reduce(
                 f, 18, 0, [](double a, double b) { return a + b; }, true);
         }},
        {"DequantizeLinear", dequantized}};
    return rows;
}

} // namespace

bool canFold(const Node& node) { return node.domain.empty() && table().contains(node.op); }

std::vector<TensorPointer> fold(const Node& node, std::int64_t opset,
                                const std::vector<TensorPointer>& inputs) {
    Folding folding(node, opset, inputs);
    Tensor made = table().at(node.op)(folding);
    folding.attributes().refuseUnread();
    return {std::make_shared<const Tensor>(std::move(made))};
}

TensorPointer wholesOf(Shape values) {
    return std::make_shared<const Tensor>(
        Tensor{.element = Element::i64,
               .shape = {static_cast<std::int64_t>(values.size())},
               .wholes = std::move(values)});
}

TensorPointer realsOf(Shape shape, std::vector<float> numbers) {
    return std::make_shared<const Tensor>(
        Tensor{.element = Element::f32, .shape = std::move(shape), .reals = std::move(numbers)});
}

Shape reshaped(const Shape& from, const Shape& target, bool zeroIsZero) {
    const std::int64_t count = countOf(from);
    Shape made = target;
    std::int64_t known = 1;
    std::size_t open = made.size();
    for (std::size_t k = 0; k < made.size(); ++k) {
        if (made[k] == 0 && !zeroIsZero) {
            if (k >= from.size()) {
                throw Refusal(fmt::format("{} cannot become {}", toString(from), toString(target)));
            }
            made[k] = from[k];
        }
        if (made[k] == -1 && open == made.size()) {
            open = k;
        } else {
            known = product(known, made[k]);
        }
    }
    if (open < made.size()) {
        made[open] = known > 0 ? count / known : 0;
        known = product(known, made[open]);
    }
    if (known != count || std::ranges::any_of(made, [](std::int64_t dim) { return dim < 0; })) {
        throw Refusal(fmt::format("{} cannot become {}", toString(from), toString(target)));
    }
    return made;
}

Tensor transposedMatrix(const Tensor& matrix) {
    return gathered(matrix, {matrix.shape[1], matrix.shape[0]}, {1, matrix.shape[1]}, 0);
}

} // namespace weft::onnx
