// SPDX-License-Identifier: Apache-2.0
// y[b, c] = the sum of x over its positions / the whole count; dx = dy / the whole count.
#include "backends/cuda/kernels/row_sums.h"
#include "backends/cuda/windows/pooled_maps.h"

namespace weft::cuda {

void global_average_pool(KernelList& list);

namespace {

std::int64_t positionsOf(const Shape& map) { return map[2] * map[3]; }

ChoiceOrRefusal chooseGlobalAverage(const KernelRequest& request) {
    const TensorPart& x = request.inputs[0];
    const Format format = formatOfMaps(request);
    const auto count = static_cast<double>(positionsOf(x.whole));
    const std::int64_t batch = x.shape[0];
    const std::int64_t channels = x.shape[1];
    const std::int64_t positions = positionsOf(x.shape);
    const bool isLast = widened(format) == channelsLast();
    const auto run = [=](const KernelArguments& arguments) {
        auto* const y = output<float>(arguments, 0);
        if (isLast) {
            asKept(format, [&]<class Kept>(Kept) {
                launchColumnSums(input<Kept>(arguments, 0), batch, positions, channels, count, y,
                                 streamOf(arguments));
            });
        } else {
            launchRowSums({.rows = batch * channels,
                           .d = positions,
                           .divisor = count,
                           .x = input<float>(arguments, 0)},
                          y, streamOf(arguments));
        }
    };
    return withFormats(request, choiceOf(run), {format}, {});
}

/// Computes dx channels-last, in f32 or bf16, if it is stored so, else plain.
ChoiceOrRefusal chooseGlobalAverageGradient(const KernelRequest& request) {
    const TensorPart& dx = request.outputs[0];
    const bool isLast = widened(dx.format) == channelsLast();
    const Format format = isLast ? dx.format : Format{};
    const std::int64_t depth = isLast ? dx.shape[1] : 1;
    const std::int64_t places = positionsOf(dx.shape);
    const auto count = static_cast<float>(positionsOf(dx.whole));
    const std::int64_t n = dx.elements();
    return withFormats(request, choiceOf([=](const KernelArguments& arguments) {
                           asKept(format, [&]<class Kept>(Kept) {
                               launchGlobalAverageGradient(
                                   places, depth, count, input<float>(arguments, 0),
                                   output<Kept>(arguments, 0), n, streamOf(arguments));
                           });
                       }),
                       {}, {format});
}

} // namespace

void global_average_pool(KernelList& list) {
    list.add(takingBf16("global_average_pool", chooseGlobalAverage));
    list.add(takingBf16("global_average_pool_gradient", chooseGlobalAverageGradient));
}

} // namespace weft::cuda
