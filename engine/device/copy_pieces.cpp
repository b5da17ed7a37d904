// SPDX-License-Identifier: Apache-2.0
// concat joins the inputs along a dim; slice: y[.., u, ..] = x[.., begin + u step, ..]; pad: y[..,
// before + u step, ..] = x[.., u, ..], else a number. flatten and unflatten keep the row-major
// order, so plain maps are copied (or left in place) and other formats are permuted; transpose
// permutes. heads: y[b, h, t, d] = x[b, t, h features + d].
#include "device/copy_pieces.h"

#include "device/settled_formats.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

namespace weft {

namespace {

/// Returns the first offered order that is not plain; plain if formats are fixed.
Format orderOffered(const KernelRequest& request) {
    for (const TensorPart& part : request.inputs) {
        if (!part.format.isPlain() && isOrder(part.format) && request.mayChooseFormats) {
            return part.format;
        }
    }
    return {};
}

std::size_t dimOf(const KernelRequest& request) {
    const std::int64_t dim = request.attributes.integer("dim");
    return static_cast<std::size_t>(
        dim < 0 ? dim + static_cast<std::int64_t>(request.outputs[0].shape.size()) : dim);
}

ChoiceOrRefusal chooseConcat(const KernelRequest& request, const PieceCopyMaker& copyPieces) {
    const Format format = orderOffered(request);
    const std::size_t dim = dimOf(request);
    const auto steps = stridesOf(format, request.outputs[0].shape);
    std::vector<CopyPiece> pieces;
    std::int64_t begin = 0;
    for (std::size_t k = 0; k < request.inputs.size(); ++k) {
        const Shape& x = request.inputs[k].shape;
        pieces.push_back({boxCopy(x, stridesOf(format, x), steps), k, 0, begin * steps[dim]});
        begin += x[dim];
    }
    return withFormats(request, copyPieces(request, std::move(pieces), {}),
                       std::vector<Format>(request.inputs.size(), format), {format});
}

ChoiceOrRefusal chooseSlice(const KernelRequest& request, const PieceCopyMaker& copyPieces) {
    const Format format = orderOffered(request);
    const std::size_t dim = dimOf(request);
    const Shape& y = request.outputs[0].shape;
    Shape steps = stridesOf(format, request.inputs[0].shape);
    const std::int64_t from = request.attributes.integer("begin") * steps[dim];
    steps[dim] *= request.attributes.integer("step");
    const CopyPiece piece{boxCopy(y, steps, stridesOf(format, y)), 0, from, 0};
    return withFormats(request, copyPieces(request, {piece}, {}), {format}, {format});
}

ChoiceOrRefusal choosePad(const KernelRequest& request, const PieceCopyMaker& copyPieces) {
    const Format format = orderOffered(request);
    const std::size_t dim = dimOf(request);
    const Shape& x = request.inputs[0].shape;
    const TensorPart& y = request.outputs[0];
    Shape from = stridesOf(format, x);
    Shape to = stridesOf(format, y.shape);
    CopyPiece piece{.copy = {}, .to = request.attributes.integer("before") * to[dim]};
    const std::int64_t step = request.attributes.integer("step");
    to[dim] *= std::abs(step);
    if (step < 0) { // the result in its order, the operand from its last position on
        piece.from = (x[dim] - 1) * from[dim];
        from[dim] = -from[dim];
    }
    piece.copy = boxCopy(x, from, to);
    const std::int64_t elements = y.elements();
    const Filling filling{.elements = elementsOf(x) == elements ? 0 : elements,
                          .bits = bitsOf(y.dtype, request.attributes.real("value"))};
    return withFormats(request, copyPieces(request, {piece}, filling), {format}, {format});
}

ChoiceOrRefusal chooseTranspose(const KernelRequest& request, const PieceCopyMaker& copyPieces) {
    const TensorPart& x = request.inputs[0];
    const Shape& y = request.outputs[0].shape;
    if (y.size() > BoxCopy::mostDims) {
        return tl::unexpected(
            Refusal{.implementation = {}, .reason = "moves more dims than a box copy has loops"});
    }
    const Format format = isOrder(x.format) ? x.format : Format{};
    const Shape strides = stridesOf(format, x.shape);
    Shape from;
    for (const std::int64_t dim : request.attributes.integers("order")) {
        from.push_back(strides[static_cast<std::size_t>(dim)]);
    }
    const BoxCopy copy = boxCopy(y, from, stridesOf({}, y));
    return withFormats(request, copyPieces(request, {{copy}}, {}), {format}, {});
}

ChoiceOrRefusal chooseFlatten(const KernelRequest& request, const PieceCopyMaker& copyPieces) {
    const TensorPart& x = request.inputs[0];
    const Format format = isOrder(x.format) ? x.format : Format{};
    const BoxCopy copy = boxCopy(x.shape, stridesOf(format, x.shape), stridesOf({}, x.shape));
    return withFormats(request, copyPieces(request, {{copy}}, {}), {format}, {});
}

/// Uses the offered order of the map. Without one, an in-place map stays plain; otherwise it is
/// made for the gradient of a convolution or a pooling, in their preferred order.
ChoiceOrRefusal chooseUnflatten(const KernelRequest& request, const PieceCopyMaker& copyPieces,
                                const Format& ofMaps) {
    const Shape& y = request.outputs[0].shape;
    const Format& asked = request.outputs[0].format;
    const Format preferred = !asked.isPlain() && isOrder(asked) ? asked
                             : request.inPlace.empty()          ? ofMaps
                                                                : Format{};
    const bool isMap = y.size() == 4 && request.mayChooseFormats && !isSameLayout({}, preferred, y);
    const Format format = isMap ? preferred : Format{};
    const BoxCopy copy = boxCopy(y, stridesOf({}, y), stridesOf(format, y));
    return withFormats(request, copyPieces(request, {{copy}}, {}), {}, {format});
}

/// Strides of [b, h, t, d] in a value stored as [b, t, (h d)].
Shape stepsTogether(const Shape& apart) {
    const std::int64_t row = apart[1] * apart[3];
    return {apart[2] * row, apart[3], row, 1};
}

ChoiceOrRefusal chooseApart(const KernelRequest& request, const PieceCopyMaker& copyPieces) {
    const Shape& apart = request.outputs[0].shape;
    const BoxCopy copy = boxCopy(apart, stepsTogether(apart), stridesOf({}, apart));
    return allPlain(request, copyPieces(request, {{copy}}, {}));
}

ChoiceOrRefusal chooseTogether(const KernelRequest& request, const PieceCopyMaker& copyPieces) {
    const Shape& apart = request.inputs[0].shape;
    const BoxCopy copy = boxCopy(apart, stridesOf({}, apart), stepsTogether(apart));
    return allPlain(request, copyPieces(request, {{copy}}, {}));
}

using Choose = std::function<ChoiceOrRefusal(const KernelRequest&, const PieceCopyMaker&)>;

void add(KernelList& list, const std::string& op, const std::string& implementation,
         const PieceCopyMaker& copyPieces, const Choose& choose) {
    list.add(
        {op, implementation,
         [choose, copyPieces](const KernelRequest& request) { return choose(request, copyPieces); },
         anyType});
}

} // namespace

std::uint64_t bitsOf(DType dtype, double number) {
    switch (dtype) {
    case DType::f32: return std::bit_cast<std::uint32_t>(static_cast<float>(number));
    case DType::f64: return std::bit_cast<std::uint64_t>(number);
    case DType::bf16: return halfOf(static_cast<float>(number));
    default: break;
    }
    return std::isinf(number) ? std::numeric_limits<std::uint64_t>::max()
                              : static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
}

void addConcats(KernelList& list, const std::string& implementation, const PieceCopyMaker& copy) {
    add(list, "concat", implementation, copy, chooseConcat);
    add(list, "slice", implementation, copy, chooseSlice);
    add(list, "pad", implementation, copy, choosePad);
}

void addFlattens(KernelList& list, const std::string& implementation, const PieceCopyMaker& copy,
                 const Format& ofMaps) {
    add(list, "flatten", implementation, copy, chooseFlatten);
    add(list, "unflatten", implementation, copy,
        [ofMaps](const KernelRequest& request, const PieceCopyMaker& copyPieces) {
            return chooseUnflatten(request, copyPieces, ofMaps);
        });
    add(list, "transpose", implementation, copy, chooseTranspose);
    add(list, "heads_apart", implementation, copy, chooseApart);
    add(list, "heads_together", implementation, copy, chooseTogether);
}

} // namespace weft
