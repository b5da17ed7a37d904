// SPDX-License-Identifier: Apache-2.0
// [b, o, y, x] <-> [b, o*y*x], and [b, t, (h d)] <-> [b, h, t, d].
#include "backends/cuda/copies.h"

namespace weft::cuda {

void flatten(KernelList& list);

namespace {

KernelChoice copyAll(const KernelRequest& request, const BoxCopy& copy) {
    return choiceOfPieces(request, {{copy}});
}

ChoiceOrRefusal chooseFlatten(const KernelRequest& request) {
    const TensorPart& x = request.inputs[0];
    // Where the buffer may be shared nothing moves, so the order stays.
    const bool mayMove = request.inPlace.empty() && isOrder(x.format);
    const Format format = mayMove ? x.format : Format{};
    const BoxCopy copy = boxCopy(x.shape, stridesOf(format, x.shape), stridesOf({}, x.shape));
    return withFormats(request, copyAll(request, copy), {format}, {});
}

/// Maps are made channels-last: what follows is the gradient of a convolution or a pooling.
ChoiceOrRefusal chooseUnflatten(const KernelRequest& request) {
    const Shape& y = request.outputs[0].shape;
    const bool isMap = y.size() == 4 && request.mayChooseFormats && request.inPlace.empty() &&
                       !isSameLayout({}, channelsLast(), y);
    const Format format = isMap ? channelsLast() : Format{};
    const BoxCopy copy = boxCopy(y, stridesOf({}, y), stridesOf(format, y));
    return withFormats(request, copyAll(request, copy), {}, {format});
}

/// Steps of [b, h, t, d] in a value kept as [b, t, (h d)].
Shape stepsTogether(const Shape& apart) {
    const std::int64_t row = apart[1] * apart[3];
    return {apart[2] * row, apart[3], row, 1};
}

ChoiceOrRefusal chooseApart(const KernelRequest& request) {
    const Shape& apart = request.outputs[0].shape;
    const BoxCopy copy = boxCopy(apart, stepsTogether(apart), stridesOf({}, apart));
    return allPlain(request, copyAll(request, copy));
}

ChoiceOrRefusal chooseTogether(const KernelRequest& request) {
    const Shape& apart = request.inputs[0].shape;
    const BoxCopy copy = boxCopy(apart, stridesOf({}, apart), stepsTogether(apart));
    return allPlain(request, copyAll(request, copy));
}

} // namespace

void flatten(KernelList& list) {
    list.add({"flatten", "cuda", chooseFlatten, anyType});
    list.add({"unflatten", "cuda", chooseUnflatten, anyType});
    list.add({"heads_apart", "cuda", chooseApart, anyType});
    list.add({"heads_together", "cuda", chooseTogether, anyType});
}

} // namespace weft::cuda
