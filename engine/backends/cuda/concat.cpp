// SPDX-License-Identifier: Apache-2.0
// concat: operands one behind the other along a dim. slice: positions [begin, end) of it. pad:
// zeros before and behind.
#include "backends/cuda/copies.h"

#include <algorithm>

namespace weft::cuda {

void concat(KernelList& list);

namespace {

/// The first order that is offered and is not plain; plain where formats are fixed.
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

ChoiceOrRefusal chooseConcat(const KernelRequest& request) {
    const Format format = orderOffered(request);
    const std::size_t dim = dimOf(request);
    const auto steps = stridesOf(format, request.outputs[0].shape);
    std::vector<Piece> pieces;
    std::int64_t begin = 0;
    for (std::size_t k = 0; k < request.inputs.size(); ++k) {
        const Shape& x = request.inputs[k].shape;
        pieces.push_back({boxCopy(x, stridesOf(format, x), steps), k, 0, begin * steps[dim]});
        begin += x[dim];
    }
    return withFormats(request, choiceOfPieces(request, std::move(pieces)),
                       std::vector<Format>(request.inputs.size(), format), {format});
}

/// The common positions of x and y along a dim, at `skipX` in x and `skipY` in y, zeros elsewhere.
ChoiceOrRefusal chooseBlock(const KernelRequest& request, std::int64_t skipX, std::int64_t skipY) {
    const Format format = orderOffered(request);
    const std::size_t dim = dimOf(request);
    const Shape& x = request.inputs[0].shape;
    const Shape& y = request.outputs[0].shape;
    const auto stepsX = stridesOf(format, x);
    const auto stepsY = stridesOf(format, y);
    Shape common = x;
    common[dim] = std::min(x[dim], y[dim]);
    const Piece piece{boxCopy(common, stepsX, stepsY), 0, skipX * stepsX[dim], skipY * stepsY[dim]};
    const std::int64_t elements = elementsOf(y);
    return withFormats(
        request, choiceOfPieces(request, {piece}, elementsOf(common) == elements ? 0 : elements),
        {format}, {format});
}

} // namespace

void concat(KernelList& list) {
    list.add({"concat", "cuda", chooseConcat, anyType});
    list.add({"slice", "cuda",
              [](const KernelRequest& request) {
                  return chooseBlock(request, request.attributes.integer("begin"), 0);
              },
              anyType});
    list.add({"pad", "cuda",
              [](const KernelRequest& request) {
                  return chooseBlock(request, 0, request.attributes.integer("before"));
              },
              anyType});
}

} // namespace weft::cuda
