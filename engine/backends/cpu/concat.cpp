// SPDX-License-Identifier: Apache-2.0
// concat: the inputs one behind the other along a dim; slice: y[.., u, ..] = x[.., begin + u, ..];
// pad: y[.., before + u, ..] = x[.., u, ..], else 0. Any element type, any one order of the dims.
#include "backends/cpu/box_copy.h"
#include "backends/cpu/elementwise.h"

namespace weft::cpu {

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

struct Piece {
    BoxCopy copy;
    std::size_t input = 0;
    std::int64_t from = 0; ///< offsets in elements
    std::int64_t to = 0;
};

/// Copies the pieces; `zeroed` elements of the result are set to zero before.
template <class T>
void runPieces(const std::vector<Piece>& pieces, const KernelArguments& at, std::int64_t zeroed,
               int cores) {
    T* const y = output<T>(at, 0);
    std::fill_n(y, zeroed, T{});
    for (const Piece& piece : pieces) {
        runCopy(piece.copy, input<T>(at, piece.input) + piece.from, y + piece.to, cores);
    }
}

ChoiceOrRefusal chooseWith(const KernelRequest& request, const Format& format,
                           std::vector<Piece> pieces, std::int64_t zeroed) {
    const std::size_t size = byteSize(request.outputs[0].dtype);
    const auto run = [=, cores = request.cores,
                      pieces = std::move(pieces)](const KernelArguments& at) {
        switch (size) {
        case 1: runPieces<std::uint8_t>(pieces, at, zeroed, cores); break;
        case 2: runPieces<std::uint16_t>(pieces, at, zeroed, cores); break;
        case 4: runPieces<std::uint32_t>(pieces, at, zeroed, cores); break;
        default: runPieces<std::uint64_t>(pieces, at, zeroed, cores); break;
        }
    };
    return withFormats(request, choiceOf(run), std::vector<Format>(request.inputs.size(), format),
                       {format});
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
    return chooseWith(request, format, std::move(pieces), 0);
}

/// The common positions of x and y along a dim, at `skipX` in x and `skipY` in y.
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
    return chooseWith(request, format, {piece}, elementsOf(common) == elements ? 0 : elements);
}

} // namespace

void concat(KernelList& list) {
    list.add({"concat", "cpu", chooseConcat, anyType});
    list.add({"slice", "cpu",
              [](const KernelRequest& request) {
                  return chooseBlock(request, request.attributes.integer("begin"), 0);
              },
              anyType});
    list.add({"pad", "cpu",
              [](const KernelRequest& request) {
                  return chooseBlock(request, 0, request.attributes.integer("before"));
              },
              anyType});
}

} // namespace weft::cpu
