// SPDX-License-Identifier: Apache-2.0
// y = the sum of each window / its count; dx = the sum of dy / count over the windows of a place.
#include "backends/cuda/pooled_maps.h"

#include <algorithm>

namespace weft::cuda {

void average_pool2d(KernelList& list);

namespace {

WindowCount countOf(const KernelRequest& request, const TensorPart& map, const TensorPart& windowed,
                    std::size_t side) {
    // A list of one stands for all.
    const auto number = [&](const char* name, std::size_t k) {
        const auto numbers = request.attributes.integers(name);
        return numbers[std::min(k, numbers.size() - 1)];
    };
    return {.begin = windowed.begin[side + 2],
            .kernel = number("kernel", side),
            .stride = number("stride", side),
            .before = number("padding", side),
            .after = number("padding", side + 2),
            .whole = map.whole[side + 2],
            .countsPadding = request.attributes.boolean("count_include_pad")};
}

template <bool isForward>
ChoiceOrRefusal chooseAveragePool(const KernelRequest& request) {
    const TensorPart& map = isForward ? request.inputs[0] : request.outputs[0];
    const TensorPart& windowed = isForward ? request.outputs[0] : request.inputs[0];
    const Format format = mapFormat(request);
    const auto maps = mapsOf(request, map, windowed, format);
    if (!maps) {
        return refuse("the part of the map begins after the windows");
    }
    const WindowCount rows = countOf(request, map, windowed, 0);
    const WindowCount columns = countOf(request, map, windowed, 1);
    const auto launch = isForward ? launchAveragePool : launchAveragePoolGradient;
    return withFormats(request, choiceOf([=, of = *maps](const KernelArguments& at) {
                           launch(of, rows, columns, input<float>(at, 0), output<float>(at, 0),
                                  streamOf(at));
                       }),
                       {format}, {format});
}

} // namespace

void average_pool2d(KernelList& list) {
    list.add({"average_pool2d", "cuda", chooseAveragePool<true>});
    list.add({"average_pool2d_gradient", "cuda", chooseAveragePool<false>});
}

} // namespace weft::cuda
