// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/elementwise.h"

#include "device/rows.h"
#include <weft/error.h>

#include <algorithm>
#include <array>

namespace weft::cuda {

namespace {

/// Chooses the kernel that applies f in the offered format.
template <class Kept>
KernelChoice callOf(const PerElement& op, FunctionNumbers numbers, std::int64_t n) {
    return choiceOf([=, function = op.function](const KernelArguments& arguments) {
        if (const auto* unary = std::get_if<Unary>(&function)) {
            launchUnary(*unary, numbers, input<Kept>(arguments, 0), output<Kept>(arguments, 0), n,
                        streamOf(arguments));
        } else {
            launchBinary(std::get<Binary>(function), numbers, input<Kept>(arguments, 0),
                         input<Kept>(arguments, 1), output<Kept>(arguments, 0), n,
                         streamOf(arguments));
        }
    });
}

ChoiceOrRefusal choosePerElement(const KernelRequest& request, const PerElement& op) {
    const Shape& shape = request.outputs[0].shape;
    if (std::ranges::any_of(request.inputs,
                            [&](const TensorPart& input) { return input.shape != shape; })) {
        return refuse("repeats an operand along dims");
    }
    const auto format = formatForAll(request, shape);
    if (!format) {
        return refuse("operands have different memory formats");
    }
    const FunctionNumbers numbers = numbersOf(op, request.attributes);
    const std::int64_t n = request.outputs[0].elements();
    return inOneFormat(request, *format, asKept(*format, [&]<class Kept>(Kept) {
                           return callOf<Kept>(op, numbers, n);
                       }));
}

/// The function of a row of two operands.
template <class Row>
constexpr Binary functionOf() {
    if constexpr (std::is_same_v<Row, functions::Divide>) {
        return Binary::divide;
    } else if constexpr (std::is_same_v<Row, functions::Multiply>) {
        return Binary::multiply;
    } else if constexpr (std::is_same_v<Row, functions::Subtract>) {
        return Binary::subtract;
    } else {
        return pairOf<Row>;
    }
}

std::vector<PerElement> allPerElement() {
    std::vector<PerElement> all{
        {"clip_factor", Unary::clipFactor, {"limit"}},
        {"scale", Unary::scale, {"factor"}},
        {"sign", Unary::sign},
        {"stop_gradient", Unary::copy},
        {"replace", Binary::second},
    };
    functions::Pairs::forEach([&]<class Row>(Row) {
        all.push_back({std::string(Row::pair.name),
                       functionOf<Row>(),
                       {},
                       Row::pair.flops <= mostFlopsInChain});
    });
    functions::All::forEach([&]<class Row>(Row) {
        const functions::Info& info = Row::info;
        const std::array<std::string_view, 2> names{info.numbers[0].name, info.numbers[1].name};
        const std::string name(info.name);
        all.push_back({name, unaryOf<Row>, names, info.flops <= mostFlopsInChain});
        if (info.hasGradientOp()) {
            all.push_back({name + "_gradient", gradientOf<Row>, names,
                           info.gradientFlops <= mostFlopsInChain});
        }
    });
    return all;
}

} // namespace

std::span<const PerElement> perElementOps() {
    static const std::vector<PerElement> all = allPerElement();
    return all;
}

const PerElement* perElement(std::string_view op) {
    const auto all = perElementOps();
    const auto found = std::ranges::find(all, op, &PerElement::op);
    return found == all.end() ? nullptr : &*found;
}

FunctionNumbers numbersOf(const PerElement& op, const Attributes& attributes) {
    const auto number = [&](std::string_view name) {
        return name.empty() ? 0 : static_cast<float>(attributes.real(name));
    };
    return {number(op.attributes[0]), number(op.attributes[1])};
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

void addFunction(KernelList& list, const functions::Info& info) {
    addPerElement(list, std::string(info.name));
    if (info.hasGradientOp()) {
        addPerElement(list, std::string(info.name) + "_gradient");
    }
}

void addPerRow(KernelList& list, const std::string& op, Binary function) {
    list.add({op, "cuda", [=](const KernelRequest& request) {
                  const Shape& shape = request.inputs[0].shape;
                  const Broadcast broadcast{.inner = shape.back(), .n = rowsOf(shape)};
                  return chooseBroadcast(request, function, broadcast, {});
              }});
}

ChoiceOrRefusal chooseBroadcast(const KernelRequest& request, Binary function,
                                const Broadcast& broadcast, const Format& format) {
    const std::int64_t n = request.outputs[0].elements();
    const auto callOfKept = [&]<class Kept>(Kept) {
        return choiceOf([=](const KernelArguments& arguments) {
            launchBroadcast(function, input<Kept>(arguments, 0), input<float>(arguments, 1),
                            broadcast, output<Kept>(arguments, 0), n, streamOf(arguments));
        });
    };
    return withFormats(request, asKept(format, callOfKept), {format, {}}, {format});
}

ChoiceOrRefusal chooseBroadcastQuotient(const KernelRequest& request, std::int64_t divisor) {
    const std::int64_t n = request.outputs[0].elements();
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        launchBroadcastQuotient(
                            input<float>(arguments, 0), {}, static_cast<float>(divisor),
                            output<float>(arguments, 0), n, streamOf(arguments));
                    }));
}

} // namespace weft::cuda
