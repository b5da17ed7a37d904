// SPDX-License-Identifier: Apache-2.0
// e = exp(-step[b] / tau); v' = e v + (1 - e) (drive + self a); weigh: y = x times e, 1 - e or
// step[b] / tau; rest: y = begins[b] != 0 ? value : v; begin: y = value
#include "backends/cpu/elementwise.h"
#include "backends/cpu/per_element.h"

#include <cmath>

namespace weft::cpu {

void membrane(KernelList& list);

namespace {

/// compute(operands..., numbers of the element) for every float of the first `operands` inputs;
/// settle(number) derives the numbers from the last input's number per element.
template <std::size_t operands, class Settle, class Compute>
ChoiceOrRefusal choosePerElement(const KernelRequest& request, Settle settle, Compute compute) {
    const Shape& shape = request.outputs[0].shape;
    const auto format = batchContiguousFormat(request, shape);
    if (!format) {
        return refuse("batch elements are not contiguous in memory");
    }
    const BatchElements runs(request.outputs[0]);
    const int cores = request.cores;
    const auto run = [=](const KernelArguments& arguments) {
        std::array<const float*, operands> x;
        for (std::size_t k = 0; k < operands; ++k) {
            x[k] = input<float>(arguments, k);
        }
        const auto* const numbers = input<float>(arguments, operands);
        auto* const y = output<float>(arguments, 0);
        runs.onEach(
            cores, operands + 1,
            [&](std::int64_t element, std::int64_t begin,
                std::int64_t end) __attribute__((always_inline)) {
                const auto with = settle(numbers[element]);
                [&]<std::size_t... k>(std::index_sequence<k...>) __attribute__((always_inline)) {
#pragma omp simd
                    for (std::int64_t i = begin; i < end; ++i) {
                        y[i] = compute(with, x[k][i]...);
                    }
                }
                (std::make_index_sequence<operands>{});
            });
    };
    std::vector<Format> formats(operands, *format);
    formats.emplace_back();
    return withFormats(request, choiceOf(run), std::move(formats), {*format});
}

struct Leak {
    float keep, take;
};

ChoiceOrRefusal chooseMembrane(const KernelRequest& request) {
    const double tau = request.attributes.real("tau");
    const auto self = static_cast<float>(request.attributes.real("self"));
    return choosePerElement<3>(
        request,
        [=](double step) {
            return Leak{static_cast<float>(std::exp(-step / tau)),
                        static_cast<float>(-std::expm1(-step / tau))};
        },
        [=](const Leak& leak, float v, float drive, float a) __attribute__((always_inline)) {
            return leak.keep * v + leak.take * (drive + self * a);
        });
}

ChoiceOrRefusal chooseWeigh(const KernelRequest& request) {
    const double tau = request.attributes.real("tau");
    const std::string& by = request.attributes.text("by");
    const bool keeps = by == "keep";
    const bool takes = by == "take";
    return choosePerElement<1>(
        request,
        [=](double step) {
            return static_cast<float>(keeps   ? std::exp(-step / tau)
                                      : takes ? -std::expm1(-step / tau)
                                              : step / tau);
        },
        [](float factor, float x) __attribute__((always_inline)) { return factor * x; });
}

ChoiceOrRefusal chooseRest(const KernelRequest& request) {
    return choosePerElement<2>(
        request, [](float begins) { return begins != 0; },
        [](bool rests, float v, float atRest)
            __attribute__((always_inline)) { return rests ? atRest : v; });
}

ChoiceOrRefusal chooseBegin(const KernelRequest& request) {
    const auto value = static_cast<float>(request.attributes.real("value"));
    const TensorPart& part = request.outputs[0];
    // A constant suits any order of dims, and maps are usually consumed channels-last.
    const bool isMap = part.shape.size() == 4 && request.mayChooseFormats;
    const Format format = isMap ? channelsLast() : part.format;
    const std::int64_t n = elementsIn(format, part.shape);
    const int cores = request.cores;
    const auto run = [=](const KernelArguments& arguments) {
        auto* const y = output<float>(arguments, 0);
        onElements(
            cores, n, 1, [=](std::int64_t begin, std::int64_t end) __attribute__((always_inline)) {
                std::fill(y + begin, y + end, value);
            });
    };
    return withFormats(request, choiceOf(run), {}, {format});
}

} // namespace

void membrane(KernelList& list) {
    list.add({"membrane", "cpu", chooseMembrane});
    list.add({"weigh", "cpu", chooseWeigh});
    list.add({"rest", "cpu", chooseRest});
    list.add({"begin", "cpu", chooseBegin});
}

} // namespace weft::cpu
