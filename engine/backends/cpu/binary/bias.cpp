// SPDX-License-Identifier: Apache-2.0
// y = x + b and y = x s along one dim; db = dy summed over all other dims.
#include "backends/cpu/elementwise.h"
#include "backends/cpu/sums.h"

namespace weft::cpu {

void bias(KernelList& list);

namespace {

/// Returns the format of the first operand if it only permutes the dims.
std::optional<Format> orderOffered(const KernelRequest& request) {
    const auto format = formatForAll(request, request.inputs[0].shape);
    return format && isOrder(*format) ? format : std::nullopt;
}

/// y = f(x, b), with one number of b for each index along the dim.
template <class F>
ChoiceOrRefusal chooseAlongDim(const KernelRequest& request, F f) {
    const auto format = orderOffered(request);
    if (!format) {
        return refuse("does not support blocked memory formats");
    }
    const Along along =
        alongDim(request.inputs[0].shape, *format, request.attributes.integer("dim"));
    const int cores = request.cores;
    return withFormats(request, choiceOf([=](const KernelArguments& arguments) {
                           const auto* const x = input<float>(arguments, 0);
                           const auto* const b = input<float>(arguments, 1);
                           auto* const y = output<float>(arguments, 0);
                           const std::int64_t n = along.n;
                           const std::int64_t inner = along.inner;
                           const std::int64_t rows = inner == 1 ? along.outer : along.outer * n;
                           const std::int64_t row = inner == 1 ? n : inner;
                           shareOut(cores, rows, 1, 2 * rows * row, [=](Range range) {
                               vectorised([=]() __attribute__((always_inline)) {
                                   for (std::int64_t r = range.begin; r < range.end; ++r) {
                                       const float* const from = x + r * row;
                                       float* const to = y + r * row;
                                       if (inner == 1) {
#pragma omp simd
                                           for (std::int64_t k = 0; k < row; ++k) {
                                               to[k] = f(from[k], b[k]);
                                           }
                                       } else {
                                           const float one = b[r % n];
#pragma omp simd
                                           for (std::int64_t k = 0; k < row; ++k) {
                                               to[k] = f(from[k], one);
                                           }
                                       }
                                   }
                               });
                           });
                       }),
                       {*format, {}}, {*format});
}

ChoiceOrRefusal chooseGradient(const KernelRequest& request) {
    const Format offered = request.inputs[0].format;
    const Format format = isOrder(offered) ? offered : Format{};
    const Along along =
        alongDim(request.inputs[0].shape, format, request.attributes.integer("dim"));
    const int cores = request.cores;
    const auto run = [=](const KernelArguments& arguments) {
        const auto* const dy = input<float>(arguments, 0);
        auto* const db = output<float>(arguments, 0);
        channelSums(
            along, cores, arguments.scratch,
            [=](std::int64_t k, const std::array<double, 1>& sum) {
                db[k] = static_cast<float>(sum[0]);
            },
            [=](std::int64_t e, std::int64_t) __attribute__((always_inline)) { return dy[e]; });
    };
    return withFormats(request, choiceOf(run, columnSumsScratch(along.n, 1, cores)), {format}, {});
}

} // namespace

void bias(KernelList& list) {
    list.add({"bias_add", "cpu", [](const KernelRequest& request) {
                  return chooseAlongDim(
                      request,
                      [](float x, float b) __attribute__((always_inline)) { return x + b; });
              }});
    list.add({"channel_scale", "cpu", [](const KernelRequest& request) {
                  return chooseAlongDim(
                      request,
                      [](float x, float s) __attribute__((always_inline)) { return x * s; });
              }});
    list.add({"bias_gradient", "cpu", chooseGradient});
}

} // namespace weft::cpu
