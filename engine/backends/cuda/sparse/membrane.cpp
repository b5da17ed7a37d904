// SPDX-License-Identifier: Apache-2.0
// e = exp(-step[b] / tau); v' = e v + (1 - e) (drive + self a); weigh: y = x times e, 1 - e or
// step[b] / tau; sign; rest: y = begins[b] != 0 ? at_rest : v; begin: y = value;
// begin_drawn: y = value + spread (2 uniform(key, step, index in the whole) - 1)
#include "backends/cuda/sparse/membrane.h"

#include "backends/cuda/elementwise.h"
#include "backends/cuda/kernels/box_copy.h"
#include "backends/cuda/unary/drawn.h"

#include <bit>

namespace weft::cuda {

void membrane(KernelList& list);

namespace {

/// Chooses the kernel that calls run(arguments, sizes), with operands of the result's shape in one
/// format whose elements are contiguous.
template <class Run>
ChoiceOrRefusal chooseOfBatch(const KernelRequest& request, Run run) {
    const Shape& shape = request.outputs[0].shape;
    const auto format = batchContiguousFormat(request, shape);
    if (!format) {
        return refuse("batch elements are not contiguous in memory");
    }
    const std::int64_t n = request.outputs[0].elements();
    const BatchSizes batch{n, n / std::max<std::int64_t>(1, shape[0])};
    std::vector<Format> inputs(request.inputs.size(), *format);
    inputs.back() = {}; // one number per element
    return withFormats(request,
                       choiceOf([=](const KernelArguments& arguments) { run(arguments, batch); }),
                       std::move(inputs), {*format});
}

ChoiceOrRefusal chooseMembrane(const KernelRequest& request) {
    const auto tau = static_cast<float>(request.attributes.real("tau"));
    const auto self = static_cast<float>(request.attributes.real("self"));
    return chooseOfBatch(request, [=](const KernelArguments& arguments, const BatchSizes& batch) {
        launchMembrane(batch, tau, self, input<float>(arguments, 0), input<float>(arguments, 1),
                       input<float>(arguments, 2), input<float>(arguments, 3),
                       output<float>(arguments, 0), streamOf(arguments));
    });
}

ChoiceOrRefusal chooseWeigh(const KernelRequest& request) {
    const auto tau = static_cast<float>(request.attributes.real("tau"));
    const std::string& name = request.attributes.text("by");
    const StepWeight by = name == "keep"   ? StepWeight::keep
                          : name == "take" ? StepWeight::take
                                           : StepWeight::ratio;
    return chooseOfBatch(request, [=](const KernelArguments& arguments, const BatchSizes& batch) {
        launchStepWeight(batch, by, tau, input<float>(arguments, 0), input<float>(arguments, 1),
                         output<float>(arguments, 0), streamOf(arguments));
    });
}

ChoiceOrRefusal chooseRest(const KernelRequest& request) {
    return chooseOfBatch(request, [](const KernelArguments& arguments, const BatchSizes& batch) {
        launchResetToRest(batch, input<float>(arguments, 0), input<float>(arguments, 1),
                          input<float>(arguments, 2), output<float>(arguments, 0),
                          streamOf(arguments));
    });
}

ChoiceOrRefusal chooseBegin(const KernelRequest& request) {
    const auto value =
        std::bit_cast<std::uint32_t>(static_cast<float>(request.attributes.real("value")));
    const std::int64_t n = request.outputs[0].elements();
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        launchFill(value, sizeof(float), output<float>(arguments, 0), n,
                                   streamOf(arguments));
                    }));
}

ChoiceOrRefusal chooseBeginDrawn(const KernelRequest& request) {
    const auto middle = static_cast<float>(request.attributes.real("value"));
    const auto spread = static_cast<float>(request.attributes.real("spread"));
    const DrawKey key = drawKeyOf(request.randomKey);
    const PartOfWhole part = partOfWhole(request.outputs[0]);
    const Number stepType = integerOf(request.inputs[1]);
    const std::int64_t n = request.outputs[0].elements();
    const auto run = [=](const KernelArguments& arguments) {
        auto* const from = static_cast<RandomState*>(arguments.scratch);
        launchDraw(key, {arguments.inputs[1], stepType}, from, streamOf(arguments));
        launchUniform(from, part, middle, spread, output<float>(arguments, 0), n,
                      streamOf(arguments));
    };
    return allPlain(request, choiceOf(run, {sizeof(RandomState)}));
}

} // namespace

void membrane(KernelList& list) {
    list.add({"membrane", "cuda", chooseMembrane});
    list.add({"weigh", "cuda", chooseWeigh});
    addPerElement(list, "stop_gradient");
    addPerElement(list, "sign");
    list.add({"rest", "cuda", chooseRest});
    list.add({"begin", "cuda", chooseBegin});
    list.add({"begin_drawn", "cuda", chooseBeginDrawn});
}

} // namespace weft::cuda
