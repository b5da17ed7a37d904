// SPDX-License-Identifier: Apache-2.0
// y = sum of x / N and dx = dy / N with the whole count N; sum_all and broadcast_all without it;
// squares: y = sum of x^2; mse: y = sum of (x - target)^2 / N, dx = 2 (x - target) dy / N.
#include "backends/cpu/row.h"
#include "backends/cpu/sums.h"

#include <cmath>

namespace weft::cpu {

void mean(KernelList& list);

namespace {

std::int64_t wholeCount(const TensorPart& part) {
    return elementsOf(part.whole.size() == part.shape.size() ? part.whole : part.shape);
}

/// y = sum of term(x, second) over `operands` inputs / divisor, in any order of dims that they
/// share.
template <std::size_t operands, class Term>
ChoiceOrRefusal chooseSum(const KernelRequest& request, double divisor, const Term& term) {
    const auto format = formatForAll(request, request.inputs[0].shape);
    if (!format) {
        return refuse("operands have different memory formats");
    }
    const std::int64_t n = request.inputs[0].elements();
    const int cores = request.cores;
    const auto run = [=](const KernelArguments& arguments) {
        const auto* const x = input<float>(arguments, 0);
        const auto* const second = input<float>(arguments, operands - 1);
        const auto sum = wholeSum(
            n, cores, arguments.scratch, [=](std::int64_t k) __attribute__((always_inline)) {
                return term(x[k], second[k]);
            });
        *output<float>(arguments, 0) = static_cast<float>(sum / divisor);
    };
    return withFormats(request, choiceOf(run, wholeSumScratch(cores)),
                       std::vector<Format>(operands, *format), {});
}

ChoiceOrRefusal chooseSquares(const KernelRequest& request) {
    const auto row = OpRow::of(request, "cpu");
    if (!row) {
        return tl::unexpected(row.error());
    }
    const int cores = request.cores;
    const auto run = [=, row = *row](const KernelArguments& arguments) {
        for (std::size_t m = 0; m < row.size(); ++m) {
            const auto* const x = row.in<float>(arguments, m, 0);
            *row.out<float>(arguments, m, 0) = static_cast<float>(wholeSum(
                row.elements(m), cores,
                arguments.scratch, [=](std::int64_t k) __attribute__((always_inline)) {
                    return x[k] * x[k];
                }));
        }
    };
    return row->chosen(request, choiceOf(run, wholeSumScratch(cores)));
}

ChoiceOrRefusal chooseBroadcast(const KernelRequest& request, double divisor) {
    const std::int64_t n = request.outputs[0].elements();
    const int cores = request.cores;
    const auto factor = static_cast<float>(1 / divisor);
    return allPlain(
        request, choiceOf([=](const KernelArguments& arguments) {
            const float value = *input<float>(arguments, 0) * factor;
            auto* const y = output<float>(arguments, 0);
            onElements(
                cores, n,
                1, [=](std::int64_t begin, std::int64_t end) __attribute__((always_inline)) {
                    std::fill(y + begin, y + end, value);
                });
        }));
}

ChoiceOrRefusal chooseMseGradient(const KernelRequest& request) {
    const auto factor = 2 / static_cast<double>(wholeCount(request.inputs[0]));
    return elementwiseOf<2>(request, [=](const KernelArguments& arguments) {
        const auto scaled = static_cast<float>(factor * *input<float>(arguments, 2));
        return [=](float x, float target) __attribute__((always_inline)) {
            return (x - target) * scaled;
        };
    });
}

ChoiceOrRefusal chooseClip(const KernelRequest& request) {
    const double limit = request.attributes.real("limit");
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        const double norm =
                            std::sqrt(static_cast<double>(*input<float>(arguments, 0)));
                        *output<float>(arguments, 0) =
                            static_cast<float>(std::min(1.0, limit / (norm + 1e-6)));
                    }));
}

} // namespace

void mean(KernelList& list) {
    const auto plain = [](float x, float) __attribute__((always_inline)) { return x; };
    const auto error = [](float x, float target) __attribute__((always_inline)) {
        return (x - target) * (x - target);
    };
    list.add({"mean", "cpu", [=](const KernelRequest& request) {
                  return chooseSum<1>(request, static_cast<double>(wholeCount(request.inputs[0])),
                                      plain);
              }});
    list.add({"sum_all", "cpu",
              [=](const KernelRequest& request) { return chooseSum<1>(request, 1, plain); }});
    addWithRow(list, "squares", "cpu", chooseSquares);
    list.add({"mse", "cpu", [=](const KernelRequest& request) {
                  return chooseSum<2>(request, static_cast<double>(wholeCount(request.inputs[0])),
                                      error);
              }});
    list.add({"mse_gradient", "cpu", chooseMseGradient});
    list.add({"mean_gradient", "cpu", [](const KernelRequest& request) {
                  return chooseBroadcast(request,
                                         static_cast<double>(wholeCount(request.outputs[0])));
              }});
    list.add({"broadcast_all", "cpu",
              [](const KernelRequest& request) { return chooseBroadcast(request, 1); }});
    list.add({"clip_factor", "cpu", chooseClip});
}

} // namespace weft::cpu
