// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/elementwise.h"

#include "device/rows.h"
#include <weft/error.h>

#include <algorithm>
#include <array>

namespace weft::cuda {

namespace {

/// run(at, elements) in the one format that is offered.
template <class Run>
ChoiceOrRefusal elementwiseOf(const KernelRequest& request, Run run) {
    const auto format = formatForAll(request, request.outputs[0].shape);
    if (!format) {
        return refuse("operands lie in different formats");
    }
    const std::int64_t n = request.outputs[0].elements();
    return inOneFormat(request, *format, choiceOf([=](const KernelArguments& at) { run(at, n); }));
}

constexpr std::array opsPerElement{
    PerElement{"clip_factor", Unary::clipFactor, "limit"},
    PerElement{"exp", Unary::exp},
    PerElement{"gelu", Unary::gelu},
    PerElement{"log", Unary::log},
    PerElement{"reciprocal_root", Unary::reciprocalRoot, "epsilon"},
    PerElement{"relu", Unary::relu},
    PerElement{"scale", Unary::scale, "factor"},
    PerElement{"sigmoid", Unary::sigmoid},
    PerElement{"sign", Unary::sign},
    PerElement{"square", Unary::square},
    PerElement{"stop_gradient", Unary::copy},
    PerElement{"tanh", Unary::tanh},
    PerElement{"divide", Binary::divide},
    PerElement{"gelu_gradient", Binary::geluGradient},
    PerElement{"multiply", Binary::multiply},
    PerElement{"relu_gradient", Binary::reluGradient},
    PerElement{"replace", Binary::second},
    PerElement{"sigmoid_gradient", Binary::sigmoidGradient},
    PerElement{"subtract", Binary::subtract},
    PerElement{"tanh_gradient", Binary::tanhGradient},
};

} // namespace

std::span<const PerElement> perElementOps() { return opsPerElement; }

const PerElement* perElement(std::string_view op) {
    const auto* const found = std::ranges::find(opsPerElement, op, &PerElement::op);
    return found == opsPerElement.end() ? nullptr : found;
}

float numberOf(const PerElement& op, const Attributes& attributes) {
    return op.attribute.empty() ? 0
                                : static_cast<float>(attributes.real(std::string(op.attribute)));
}

void addPerElement(KernelList& list, const std::string& op) {
    const PerElement* const known = perElement(op);
    ensure(known != nullptr, "what does the same to every element stands in the table of such ops");
    list.add({op, "cuda", [known](const KernelRequest& request) {
                  const float number = numberOf(*known, request.attributes);
                  return elementwiseOf(request, [=](const KernelArguments& at, std::int64_t n) {
                      if (const auto* unary = std::get_if<Unary>(&known->function)) {
                          launchUnary(*unary, number, input<float>(at, 0), output<float>(at, 0), n,
                                      streamOf(at));
                      } else {
                          launchBinary(std::get<Binary>(known->function), input<float>(at, 0),
                                       input<float>(at, 1), output<float>(at, 0), n, streamOf(at));
                      }
                  });
              }});
}

void addPerRow(KernelList& list, const std::string& op, Binary function) {
    list.add({op, "cuda", [=](const KernelRequest& request) {
                  const Shape& shape = request.inputs[0].shape;
                  const Spread spread{.inner = shape.back(), .n = rowsOf(shape)};
                  return spreadOf(request, function, spread, {});
              }});
}

ChoiceOrRefusal spreadOf(const KernelRequest& request, Binary function, const Spread& spread,
                         const Format& format) {
    const std::int64_t n = request.outputs[0].elements();
    return withFormats(request, choiceOf([=](const KernelArguments& at) {
                           launchSpread(function, input<float>(at, 0), input<float>(at, 1), spread,
                                        output<float>(at, 0), n, streamOf(at));
                       }),
                       {format, {}}, {format});
}

ChoiceOrRefusal spreadOutOf(const KernelRequest& request, std::int64_t divisor) {
    return elementwiseOf(request, [=](const KernelArguments& at, std::int64_t n) {
        launchSpreadOut(input<float>(at, 0), {}, static_cast<float>(divisor), output<float>(at, 0),
                        n, streamOf(at));
    });
}

} // namespace weft::cuda
