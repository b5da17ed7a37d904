// SPDX-License-Identifier: Apache-2.0
// The rows of functions/pairs.h: operands of one shape as other elementwise ops, others by a kernel
// that repeats them; reduce_sum_gradient, which repeats its operand.
#include "backends/cuda/elementwise.h"
#include "graph/reduced_dims.h"

namespace weft::cuda {

void pairs(KernelList& list);

namespace {

/// y = f(a, b), where operand k of the call is read as b.
ChoiceOrRefusal broadcastOf(const KernelRequest& request, const Shape& a, const Shape& b,
                            std::size_t inputOfB, Binary function) {
    const std::optional<BroadcastLoops> loops = broadcastLoops(request.outputs[0].shape, a, b);
    if (!loops) {
        return refuse("repeats its operands along more dims than its loops have");
    }
    const std::int64_t n = request.outputs[0].elements();
    return allPlain(request, choiceOf([=, loops = *loops](const KernelArguments& arguments) {
                        launchBroadcast(function, input<float>(arguments, 0),
                                        input<float>(arguments, inputOfB), loops,
                                        output<float>(arguments, 0), n, streamOf(arguments));
                    }));
}

template <class Row>
ChoiceOrRefusal chooseBroadcast(const KernelRequest& request) {
    return broadcastOf(request, request.inputs[0].shape, request.inputs[1].shape, 1, pairOf<Row>);
}

ChoiceOrRefusal chooseReduceSumGradient(const KernelRequest& request) {
    const Shape& dx = request.outputs[0].shape;
    const Shape dy = reducedShape(dx, reducedDims(request.attributes, dx.size()), true);
    return broadcastOf(request, dy, dy, 0, Binary::second);
}

} // namespace

void pairs(KernelList& list) {
    functions::Pairs::forEach([&]<class Row>(Row) {
        const std::string name(Row::pair.name);
        addPerElement(list, name);
        list.add({name, "cuda_broadcast", chooseBroadcast<Row>});
    });
    list.add({"reduce_sum_gradient", "cuda", chooseReduceSumGradient});
}

} // namespace weft::cuda
