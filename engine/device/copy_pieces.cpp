// SPDX-License-Identifier: Apache-2.0
// concat joins the inputs along a dim; slice: y[.., u, ..] = x[.., begin + u, ..]; pad: y[..,
// before + u, ..] = x[.., u, ..], else 0. flatten and unflatten keep the row-major order, so plain
// maps are copied (or left in place) and other formats are permuted. heads: y[b, h, t, d] = x[b, t,
// h features + d].
#include "device/copy_pieces.h"

#include "device/settled_formats.h"

#include <algorithm>
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
    return withFormats(request, copyPieces(request, std::move(pieces), 0),
                       std::vector<Format>(request.inputs.size(), format), {format});
}

/// Copies the common positions of x and y along a dim, from `skipX` in x and `skipY` in y; the rest
/// is zero.
ChoiceOrRefusal chooseBlock(const KernelRequest& request, const PieceCopyMaker& copyPieces,
                            std::int64_t skipX, std::int64_t skipY) {
    const Format format = orderOffered(request);
    const std::size_t dim = dimOf(request);
    const Shape& x = request.inputs[0].shape;
    const Shape& y = request.outputs[0].shape;
    const auto stepsX = stridesOf(format, x);
    const auto stepsY = stridesOf(format, y);
    Shape common = x;
    common[dim] = std::min(x[dim], y[dim]);
    const CopyPiece piece{boxCopy(common, stepsX, stepsY), 0, skipX * stepsX[dim],
                          skipY * stepsY[dim]};
    const std::int64_t elements = elementsOf(y);
    return withFormats(request,
                       copyPieces(request, {piece}, elementsOf(common) == elements ? 0 : elements),
                       {format}, {format});
}

ChoiceOrRefusal chooseFlatten(const KernelRequest& request, const PieceCopyMaker& copyPieces) {
    const TensorPart& x = request.inputs[0];
    const Format format = isOrder(x.format) ? x.format : Format{};
    const BoxCopy copy = boxCopy(x.shape, stridesOf(format, x.shape), stridesOf({}, x.shape));
    return withFormats(request, copyPieces(request, {{copy}}, 0), {format}, {});
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
    return withFormats(request, copyPieces(request, {{copy}}, 0), {}, {format});
}

/// Strides of [b, h, t, d] in a value stored as [b, t, (h d)].
Shape stepsTogether(const Shape& apart) {
    const std::int64_t row = apart[1] * apart[3];
    return {apart[2] * row, apart[3], row, 1};
}

ChoiceOrRefusal chooseApart(const KernelRequest& request, const PieceCopyMaker& copyPieces) {
    const Shape& apart = request.outputs[0].shape;
    const BoxCopy copy = boxCopy(apart, stepsTogether(apart), stridesOf({}, apart));
    return allPlain(request, copyPieces(request, {{copy}}, 0));
}

ChoiceOrRefusal chooseTogether(const KernelRequest& request, const PieceCopyMaker& copyPieces) {
    const Shape& apart = request.inputs[0].shape;
    const BoxCopy copy = boxCopy(apart, stridesOf({}, apart), stepsTogether(apart));
    return allPlain(request, copyPieces(request, {{copy}}, 0));
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

void addConcats(KernelList& list, const std::string& implementation, const PieceCopyMaker& copy) {
    add(list, "concat", implementation, copy, chooseConcat);
    add(list, "slice", implementation, copy,
        [](const KernelRequest& request, const PieceCopyMaker& copyPieces) {
            return chooseBlock(request, copyPieces, request.attributes.integer("begin"), 0);
        });
    add(list, "pad", implementation, copy,
        [](const KernelRequest& request, const PieceCopyMaker& copyPieces) {
            return chooseBlock(request, copyPieces, 0, request.attributes.integer("before"));
        });
}

void addFlattens(KernelList& list, const std::string& implementation, const PieceCopyMaker& copy,
                 const Format& ofMaps) {
    add(list, "flatten", implementation, copy, chooseFlatten);
    add(list, "unflatten", implementation, copy,
        [ofMaps](const KernelRequest& request, const PieceCopyMaker& copyPieces) {
            return chooseUnflatten(request, copyPieces, ofMaps);
        });
    add(list, "heads_apart", implementation, copy, chooseApart);
    add(list, "heads_together", implementation, copy, chooseTogether);
}

} // namespace weft
