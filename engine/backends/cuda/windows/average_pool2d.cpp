// SPDX-License-Identifier: Apache-2.0
// y = the sum of each window / its count; dx = the sum of dy / count over the windows that cover
// the element.
#include "backends/cuda/windows/pooled_maps.h"

#include <algorithm>

namespace weft::cuda {

void average_pool2d(KernelList& list);

namespace {

WindowCount countOf(const KernelRequest& request, const TensorPart& map, const TensorPart& windowed,
                    std::size_t side) {
    // A single number is used for all.
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
    const Format format = formatOfMaps(request);
    const auto maps = mapsOf(request, map, windowed, format);
    if (!maps) {
        return refuse("the local part of the input has rows before the first window");
    }
    const WindowCount rows = countOf(request, map, windowed, 0);
    const WindowCount columns = countOf(request, map, windowed, 1);
    return withFormats(request, choiceOf([=, of = *maps](const KernelArguments& arguments) {
                           asKept(format, [&]<class Kept>(Kept) {
                               const auto launch = isForward ? launchAveragePool<Kept>
                                                             : launchAveragePoolGradient<Kept>;
                               launch(of, rows, columns, input<Kept>(arguments, 0),
                                      output<Kept>(arguments, 0), streamOf(arguments));
                           });
                       }),
                       {format}, {format});
}

} // namespace

void average_pool2d(KernelList& list) {
    list.add(takingBf16("average_pool2d", chooseAveragePool<true>));
    list.add(takingBf16("average_pool2d_gradient", chooseAveragePool<false>));
}

} // namespace weft::cuda
