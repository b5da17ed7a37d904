// SPDX-License-Identifier: Apache-2.0
// y[b, c] = sum of x over its positions / the whole count; dx = dy / the whole count.
#include "backends/cpu/sums.h"
#include "device/pooling.h"

namespace weft::cpu {

void global_average_pool(KernelList& list);

namespace {

struct Positions {
    std::int64_t batch = 0, channels = 0, count = 0;
    float share = 1; ///< weight of one position in the mean
};

Positions positionsOf(const TensorPart& map) {
    const Shape& whole = map.whole.empty() ? map.shape : map.whole;
    return {map.shape[0], map.shape[1], map.shape[2] * map.shape[3],
            1.0F / static_cast<float>(whole[2] * whole[3])};
}

/// Channels-last: adds the rows of one picture per channel.
inline void __attribute__((always_inline))
meanOfColumns(const Positions& p, const float* x, float* y) {
    std::fill_n(y, p.channels, 0.0F);
    for (std::int64_t k = 0; k < p.count; ++k) {
        const float* const row = x + k * p.channels;
#pragma omp simd
        for (std::int64_t c = 0; c < p.channels; ++c) {
            y[c] += row[c];
        }
    }
    for (std::int64_t c = 0; c < p.channels; ++c) {
        y[c] *= p.share;
    }
}

ChoiceOrRefusal chooseForward(const KernelRequest& request) {
    const Positions p = positionsOf(request.inputs[0]);
    const Format format = mapFormat(request);
    const bool isLast = format == channelsLast();
    const int cores = request.cores;
    const auto run = [=](const KernelArguments& arguments) {
        const auto* const x = input<float>(arguments, 0);
        auto* const y = output<float>(arguments, 0);
        shareOut(cores, p.batch, 1, p.batch * p.channels * p.count, [=](Range range) {
            vectorised([=]() __attribute__((always_inline)) {
                for (std::int64_t b = range.begin; b < range.end; ++b) {
                    const float* const picture = x + b * p.channels * p.count;
                    if (isLast) {
                        meanOfColumns(p, picture, y + b * p.channels);
                        continue;
                    }
                    for (std::int64_t c = 0; c < p.channels; ++c) {
                        const auto sum = runSums(
                            0, p.count, [=](std::int64_t k) __attribute__((always_inline)) {
                                return picture[c * p.count + k];
                            });
                        y[b * p.channels + c] = static_cast<float>(sum[0]) * p.share;
                    }
                }
            });
        });
    };
    return withFormats(request, choiceOf(run), {format}, {});
}

/// dx is channels-last if formats can be chosen, because the layer before is most likely a
/// convolution.
ChoiceOrRefusal chooseGradient(const KernelRequest& request) {
    const Positions p = positionsOf(request.outputs[0]);
    const bool isLast = request.mayChooseFormats;
    const int cores = request.cores;
    const auto run = [=](const KernelArguments& arguments) {
        const auto* const dy = input<float>(arguments, 0);
        auto* const dx = output<float>(arguments, 0);
        shareOut(cores, p.batch, 1, p.batch * p.channels * p.count, [=](Range range) {
            vectorised([=]() __attribute__((always_inline)) {
                for (std::int64_t b = range.begin; b < range.end; ++b) {
                    const float* const row = dy + b * p.channels;
                    float* const picture = dx + b * p.channels * p.count;
                    const std::int64_t outer = isLast ? p.count : p.channels;
                    const std::int64_t inner = isLast ? p.channels : p.count;
                    for (std::int64_t k = 0; k < outer; ++k) {
                        float* const to = picture + k * inner;
                        if (isLast) {
#pragma omp simd
                            for (std::int64_t c = 0; c < inner; ++c) {
                                to[c] = row[c] * p.share;
                            }
                        } else {
                            std::fill_n(to, inner, row[k] * p.share);
                        }
                    }
                }
            });
        });
    };
    return withFormats(request, choiceOf(run), {}, {isLast ? channelsLast() : Format{}});
}

} // namespace

void global_average_pool(KernelList& list) {
    list.add({"global_average_pool", "cpu", chooseForward});
    list.add({"global_average_pool_gradient", "cpu", chooseGradient});
}

} // namespace weft::cpu
