// SPDX-License-Identifier: Apache-2.0
// y = the largest x of each window, position = its index in the window; dx = dy at the positions,
// optionally fused with the gradient of a ReLU before the pooling.
#include "backends/cuda/windows/max_pool.h"
#include "backends/cuda/windows/pooled_maps.h"

namespace weft::cuda {

void max_pool2d(KernelList& list);

namespace {

/// Calls with(a position of the type of that operand or result).
template <class With>
void asPosition(const TensorPart& part, const With& with) {
    part.dtype == DType::u8 ? with(std::uint8_t{}) : with(std::int32_t{});
}

bool arePositions(const TensorPart& part) {
    return part.dtype == DType::u8 || part.dtype == DType::i32;
}

ChoiceOrRefusal chooseMaxPool(const KernelRequest& request) {
    const Format format = formatOfMaps(request);
    const auto maps = mapsOf(request, request.inputs[0], request.outputs[0], format);
    if (!maps) {
        return refuse("the local part of the input has rows before the first window");
    }
    if (!arePositions(request.outputs[1])) {
        return refuse("writes positions as u8 or i32 only");
    }
    return withFormats(
        request,
        choiceOf([=, of = *maps, positions = request.outputs[1]](const KernelArguments& arguments) {
            asKept(format, [&]<class Kept>(Kept) {
                asPosition(positions, [&]<class Position>(Position) {
                    launchMaxPool(of, input<Kept>(arguments, 0), output<Kept>(arguments, 0),
                                  output<Position>(arguments, 1), streamOf(arguments));
                });
            });
        }),
        {format}, {format, widened(format)});
}

ChoiceOrRefusal chooseMaxPoolGradient(const KernelRequest& request) {
    std::optional<std::size_t> relu; // operand index of the ReLU's result
    if (request.body) {
        if (request.outputs.size() != 1) {
            return refuse("another op reads the intermediate value too");
        }
        const std::vector<int>& reads = request.body->reads[1];
        if (reads[0] < 0) {
            return refuse("the gradient does not belong to the result of the ReLU");
        }
        relu = static_cast<std::size_t>(reads[0]);
    }
    const Format format = formatOfMaps(request);
    const auto maps = mapsOf(request, request.outputs[0], request.inputs[1], format);
    if (!maps) {
        return refuse("the local part of the input has rows before the first window");
    }
    if (!arePositions(request.inputs[0])) {
        return refuse("reads positions as u8 or i32 only");
    }
    std::vector<Format> inputs(request.inputs.size(), format);
    inputs[0] = widened(format);
    return withFormats(
        request,
        choiceOf([=, of = *maps, positions = request.inputs[0]](const KernelArguments& arguments) {
            asKept(format, [&]<class Kept>(Kept) {
                asPosition(positions, [&]<class Position>(Position) {
                    launchMaxPoolGradient(of, input<Position>(arguments, 0),
                                          input<Kept>(arguments, 1),
                                          relu ? input<Kept>(arguments, *relu) : nullptr,
                                          output<Kept>(arguments, 0), streamOf(arguments));
                });
            });
        }),
        std::move(inputs), {format});
}

} // namespace

void max_pool2d(KernelList& list) {
    list.add(takingBf16("max_pool2d", chooseMaxPool));
    list.add(takingBf16("max_pool2d_gradient", chooseMaxPoolGradient));
    list.add(takingBf16("max_pool2d_gradient+relu_gradient", chooseMaxPoolGradient));
}

} // namespace weft::cuda
