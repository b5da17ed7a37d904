// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/elementwise.h"

#include "device/rows.h"
#include <weft/error.h>

#include <algorithm>
#include <array>

namespace weft::cuda {

namespace {

/// Makes a call of f in the offered format.
template <class Kept>
KernelChoice callOf(const PerElement& op, float number, std::int64_t n) {
    return choiceOf([=, function = op.function](const KernelArguments& arguments) {
        if (const auto* unary = std::get_if<Unary>(&function)) {
            launchUnary(*unary, number, input<Kept>(arguments, 0), output<Kept>(arguments, 0), n,
                        streamOf(arguments));
        } else {
            launchBinary(std::get<Binary>(function), input<Kept>(arguments, 0),
                         input<Kept>(arguments, 1), output<Kept>(arguments, 0), n,
                         streamOf(arguments));
        }
    });
}

ChoiceOrRefusal choosePerElement(const KernelRequest& request, const PerElement& op) {
    const auto format = formatForAll(request, request.outputs[0].shape);
    if (!format) {
        return refuse("operands have different memory formats");
    }
    const float number = numberOf(op, request.attributes);
    const std::int64_t n = request.outputs[0].elements();
    return inOneFormat(request, *format, asKept(*format, [&]<class Kept>(Kept) {
                           return callOf<Kept>(op, number, n);
                       }));
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
    ensure(known != nullptr, "an elementwise op is in the table of elementwise ops");
    list.add(
        {.op = op,
         .implementation = "cuda",
         .choose =
             [known](const KernelRequest& request) { return choosePerElement(request, *known); },
         .takesBf16 = true});
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
    const auto callOfKept = [&]<class Kept>(Kept) {
        return choiceOf([=](const KernelArguments& arguments) {
            launchSpread(function, input<Kept>(arguments, 0), input<float>(arguments, 1), spread,
                         output<Kept>(arguments, 0), n, streamOf(arguments));
        });
    };
    return withFormats(request, asKept(format, callOfKept), {format, {}}, {format});
}

ChoiceOrRefusal spreadOutOf(const KernelRequest& request, std::int64_t divisor) {
    const std::int64_t n = request.outputs[0].elements();
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        launchSpreadOut(input<float>(arguments, 0), {}, static_cast<float>(divisor),
                                        output<float>(arguments, 0), n, streamOf(arguments));
                    }));
}

} // namespace weft::cuda
