// SPDX-License-Identifier: Apache-2.0
// Row-major elements keep their order. Plain maps are copied (or nothing is, in place); others are
// brought into or out of their order on the way. Heads apart and together are such copies too:
// y[b, h, t, d] = x[b, t, h features + d].
#include "backends/cpu/box_copy.h"
#include "backends/cpu/request.h"

namespace weft::cpu {

void flatten(KernelList& list);

namespace {

/// One copy of all elements, by their size.
KernelChoice copyAll(const KernelRequest& request, const BoxCopy& copy) {
    const int cores = request.cores;
    const std::size_t size = byteSize(request.outputs[0].dtype);
    return choiceOf([=](const KernelArguments& at) {
        if (at.inputs[0] == at.outputs[0]) {
            return;
        }
        switch (size) {
        case 1:
            runCopy(copy, input<std::uint8_t>(at, 0), output<std::uint8_t>(at, 0), cores);
            break;
        case 2:
            runCopy(copy, input<std::uint16_t>(at, 0), output<std::uint16_t>(at, 0), cores);
            break;
        case 4:
            runCopy(copy, input<std::uint32_t>(at, 0), output<std::uint32_t>(at, 0), cores);
            break;
        default:
            runCopy(copy, input<std::uint64_t>(at, 0), output<std::uint64_t>(at, 0), cores);
            break;
        }
    });
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
    list.add({"flatten", "cpu", chooseFlatten, anyType});
    list.add({"unflatten", "cpu", chooseUnflatten, anyType});
    list.add({"heads_apart", "cpu", chooseApart, anyType});
    list.add({"heads_together", "cpu", chooseTogether, anyType});
}

} // namespace weft::cpu
