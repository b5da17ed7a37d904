// SPDX-License-Identifier: Apache-2.0
// weft.reorder copies to another order of the dims, to bf16, or back. weft.copy_part copies the
// common box of two parts of one value and sets the rest to `fill` (everything without an operand).
#include "backends/cuda/moves/copies.h"
#include "backends/cuda/products/bf16.h"

#include <algorithm>

namespace weft::cuda {

void copy_part(KernelList& list);

namespace {

/// Layout of the f32 maps that are converted to or from bf16.
std::optional<Maps> mapsOf(const TensorPart& inBf16, const TensorPart& floats) {
    const Shape& shape = inBf16.shape;
    if (isSameLayout(widened(inBf16.format), floats.format, shape)) {
        return Maps{.images = 1, .channels = inBf16.elements(), .places = 1, .isLast = true};
    }
    if (inBf16.format == halved(channelsLast(), shape.size()) && floats.format.isPlain()) {
        return Maps{shape[0], shape[1], shape[2] * shape[3]};
    }
    return std::nullopt;
}

ChoiceOrRefusal chooseRounding(const KernelRequest& request) {
    const TensorPart& from = request.inputs[0];
    const TensorPart& to = request.outputs[0];
    const bool makesBf16 = to.format.isHalved();
    const auto maps = makesBf16 ? mapsOf(to, from) : mapsOf(from, to);
    if (from.dtype != DType::f32 || !maps) {
        return refuse("supports only f32 to bf16 and back, in one memory format or between plain "
                      "and channels-last");
    }
    return choiceOf([=](const KernelArguments& arguments) {
        if (makesBf16) {
            launchToBf16(*maps, input<float>(arguments, 0), output<Bf16>(arguments, 0),
                         streamOf(arguments));
        } else {
            launchToFloats(*maps, input<Bf16>(arguments, 0), output<float>(arguments, 0),
                           streamOf(arguments));
        }
    });
}

ChoiceOrRefusal chooseOrder(const KernelRequest& request) {
    const TensorPart& from = request.inputs[0];
    const TensorPart& to = request.outputs[0];
    if (!isOrder(from.format) || !isOrder(to.format)) {
        return refuse("does not support blocked memory formats");
    }
    return chooseCopyOfPieces(request, {{boxCopy(to.shape, stridesOf(from.format, from.shape),
                                                 stridesOf(to.format, to.shape))}});
}

ChoiceOrRefusal chooseReorder(const KernelRequest& request) {
    const Format& from = request.inputs[0].format;
    const Format& to = request.outputs[0].format;
    ChoiceOrRefusal choice = from.isHalved() && to.isHalved()
                                 ? chooseOrder(withBf16AsItLies(request))
                             : from.isHalved() || to.isHalved() ? chooseRounding(request)
                                                                : chooseOrder(request);
    if (choice) {
        choice->inputFormats = {from};
        choice->outputFormats = {to};
    }
    return choice;
}

/// Empty if the parts have no common elements.
std::vector<CopyPiece> commonBox(const TensorPart& from, const TensorPart& to) {
    const auto fromSteps = stridesOf({}, from.shape);
    const auto toSteps = stridesOf({}, to.shape);
    CopyPiece piece;
    Shape size;
    for (std::size_t k = 0; k < to.shape.size(); ++k) {
        const std::int64_t first = std::max(from.begin[k], to.begin[k]);
        const std::int64_t last =
            std::min(from.begin[k] + from.shape[k], to.begin[k] + to.shape[k]);
        if (first >= last) {
            return {};
        }
        size.push_back(last - first);
        piece.from += (first - from.begin[k]) * fromSteps[k];
        piece.to += (first - to.begin[k]) * toSteps[k];
    }
    piece.copy = boxCopy(size, fromSteps, toSteps);
    return {piece};
}

std::int64_t elementsOfPieces(const std::vector<CopyPiece>& pieces) {
    std::int64_t elements = 0;
    for (const CopyPiece& piece : pieces) {
        elements += piece.copy.outerSize() * piece.copy.across.size * piece.copy.along.size;
    }
    return elements;
}

ChoiceOrRefusal chooseCopy(const KernelRequest& request) {
    const TensorPart& to = request.outputs[0];
    const auto pieces =
        request.inputs.empty() ? std::vector<CopyPiece>{} : commonBox(request.inputs[0], to);
    const Filling filling{.elements = elementsOfPieces(pieces) == to.elements() ? 0 : to.elements(),
                          .bits = bitsOf(to.dtype, request.attributes.real("fill"))};
    return allPlain(request, chooseCopyOfPieces(request, pieces, filling));
}

} // namespace

void copy_part(KernelList& list) {
    list.add({.op = "weft.reorder",
              .implementation = "cuda",
              .choose = chooseReorder,
              .floating = anyType,
              .takesBf16 = true});
    list.add({"weft.copy_part", "cuda", chooseCopy, anyType});
}

} // namespace weft::cuda
