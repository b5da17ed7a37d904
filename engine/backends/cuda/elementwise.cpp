// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/elementwise.h"

#include "device/rows.h"

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

ChoiceOrRefusal unaryOf(const KernelRequest& request, Unary function, float number) {
    return elementwiseOf(request, [=](const KernelArguments& at, std::int64_t n) {
        launchUnary(function, number, input<float>(at, 0), output<float>(at, 0), n, streamOf(at));
    });
}

} // namespace

void addUnary(KernelList& list, const std::string& op, Unary function) {
    list.add(
        {op, "cuda", [=](const KernelRequest& request) { return unaryOf(request, function, 0); }});
}

void addUnary(KernelList& list, const std::string& op, Unary function,
              const std::string& attribute) {
    list.add({op, "cuda", [=](const KernelRequest& request) {
                  return unaryOf(request, function,
                                 static_cast<float>(request.attributes.real(attribute)));
              }});
}

void addBinary(KernelList& list, const std::string& op, Binary function) {
    list.add({op, "cuda", [=](const KernelRequest& request) {
                  return elementwiseOf(request, [=](const KernelArguments& at, std::int64_t n) {
                      launchBinary(function, input<float>(at, 0), input<float>(at, 1),
                                   output<float>(at, 0), n, streamOf(at));
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
