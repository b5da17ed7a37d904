// SPDX-License-Identifier: Apache-2.0
// y[b, c] = the sum of x over its positions / the whole count; dx = dy / the whole count.
#include "backends/cuda/elementwise.h"
#include "backends/cuda/row_sums.h"
#include "device/pooling.h"

namespace weft::cuda {

void global_average_pool(KernelList& list);

namespace {

std::int64_t positionsOf(const Shape& map) { return map[2] * map[3]; }

ChoiceOrRefusal chooseGlobalAverage(const KernelRequest& request) {
    const TensorPart& x = request.inputs[0];
    const Format format = mapFormat(request);
    const auto count = static_cast<double>(positionsOf(x.whole));
    const std::int64_t batch = x.shape[0];
    const std::int64_t channels = x.shape[1];
    const std::int64_t positions = positionsOf(x.shape);
    const bool isLast = format == channelsLast();
    const auto run = [=](const KernelArguments& at) {
        const auto* const from = input<float>(at, 0);
        auto* const y = output<float>(at, 0);
        if (isLast) {
            launchColumnSums(from, batch, positions, channels, count, y, streamOf(at));
        } else {
            launchRowSums({.rows = batch * channels, .d = positions, .divisor = count, .x = from},
                          y, streamOf(at));
        }
    };
    return withFormats(request, choiceOf(run), {format}, {});
}

/// Channels-last where the result is kept so.
ChoiceOrRefusal chooseGlobalAverageGradient(const KernelRequest& request) {
    const TensorPart& dx = request.outputs[0];
    const bool isLast = dx.format == channelsLast();
    const Format format = isLast ? channelsLast() : Format{};
    const std::int64_t channels = dx.shape[1];
    const std::int64_t positions = positionsOf(dx.shape);
    const Spread spread =
        isLast ? Spread{.n = channels, .block = positions * channels, .step = channels}
               : Spread{.inner = positions, .n = dx.shape[0] * channels};
    const auto count = static_cast<float>(positionsOf(dx.whole));
    const std::int64_t n = dx.elements();
    return withFormats(request, choiceOf([=](const KernelArguments& at) {
                           launchSpreadOut(input<float>(at, 0), spread, count, output<float>(at, 0),
                                           n, streamOf(at));
                       }),
                       {}, {format});
}

} // namespace

void global_average_pool(KernelList& list) {
    list.add({"global_average_pool", "cuda", chooseGlobalAverage});
    list.add({"global_average_pool_gradient", "cuda", chooseGlobalAverageGradient});
}

} // namespace weft::cuda
