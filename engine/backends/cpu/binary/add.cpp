// SPDX-License-Identifier: Apache-2.0
// y = x0 + x1 + ... (summed in that order), factor x, s x; replace
#include "backends/cpu/elementwise.h"

namespace weft::cpu {

void add(KernelList& list);

namespace {

/// Sums more terms than the fixed kernels take: one by one into y, in sections that stay in the L1
/// cache.
ChoiceOrRefusal addMany(const KernelRequest& request) {
    const auto format = formatForAll(request, request.outputs[0].shape);
    if (!format) {
        return refuse("operands have different memory formats");
    }
    const std::int64_t n = request.outputs[0].elements();
    const int cores = request.cores;
    const std::size_t terms = request.inputs.size();
    return inOneFormat(request, *format, choiceOf([=](const KernelArguments& arguments) {
                           auto* const y = output<float>(arguments, 0);
                           onElements(
                               cores, n, static_cast<int>(terms) + 1,
                               [ =, &arguments ](std::int64_t begin,
                                                 std::int64_t end) __attribute__((always_inline)) {
                                   constexpr std::int64_t stretch = 2048;
                                   for (std::int64_t from = begin; from < end; from += stretch) {
                                       const std::int64_t to = std::min(end, from + stretch);
                                       const auto* first = input<float>(arguments, 0);
                                       for (std::size_t k = 1; k < terms; ++k) {
                                           const auto* const x = input<float>(arguments, k);
#pragma omp simd
                                           for (std::int64_t i = from; i < to; ++i) {
                                               y[i] = first[i] + x[i];
                                           }
                                           first = y;
                                       }
                                   }
                               });
                       }));
}

ChoiceOrRefusal chooseAdd(const KernelRequest& request) {
    const auto terms = [&](auto count, auto compute) {
        return elementwiseOf<decltype(count)::value>(
            request, [compute](const KernelArguments&) { return compute; });
    };
    switch (request.inputs.size()) {
    case 1:
        return terms(
            std::integral_constant<std::size_t, 1>{},
            [](float a) __attribute__((always_inline)) { return a; });
    case 2:
        return terms(
            std::integral_constant<std::size_t, 2>{},
            [](float a, float b) __attribute__((always_inline)) { return a + b; });
    case 3:
        return terms(
            std::integral_constant<std::size_t, 3>{},
            [](float a, float b, float c) __attribute__((always_inline)) { return a + b + c; });
    default: return addMany(request);
    }
}

/// y = factor x with the factor from an attribute or the second input.
ChoiceOrRefusal chooseScale(const KernelRequest& request) {
    const auto factor = static_cast<float>(request.attributes.real("factor"));
    return elementwiseOf<1>(request, [factor](const KernelArguments&) {
        return [factor](float x) __attribute__((always_inline)) { return factor * x; };
    });
}
ChoiceOrRefusal chooseScaleBy(const KernelRequest& request) {
    return elementwiseOf<1>(request, [](const KernelArguments& arguments) {
        const float s = *input<float>(arguments, 1);
        return [s](float x) __attribute__((always_inline)) { return s * x; };
    });
}

/// A slot keeps its format, whatever the format of its new value.
ChoiceOrRefusal chooseReplace(const KernelRequest& request) {
    KernelRequest asSlot = request;
    if (request.mayChooseFormats) {
        asSlot.inputs[1].format = request.inputs[0].format;
    }
    return elementwiseOf<2>(asSlot, [](const KernelArguments&) {
        return [](float, float x) __attribute__((always_inline)) { return x; };
    });
}

} // namespace

void add(KernelList& list) {
    list.add({"add", "cpu", chooseAdd});
    list.add({"replace", "cpu", chooseReplace});
    list.add({"scale", "cpu", chooseScale});
    list.add({"scale_by", "cpu", chooseScaleBy});
}

} // namespace weft::cpu
