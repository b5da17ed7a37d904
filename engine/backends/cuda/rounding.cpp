// SPDX-License-Identifier: Apache-2.0
// conv2d, linear and their gradients as the library plans them in TF32: linear as a convolution
// over maps of one place
#include "backends/cuda/planned.h"
#include "device/rows.h"

namespace weft::cuda {

namespace {

ChoiceOrRefusal planned(const KernelRequest& request, const AskedConvolution& asked) {
    return plannedConvolution(request, asked, Precision::tf32);
}

Convolution ofOnePlace(const Shape& x, const Shape& y) {
    Convolution c;
    c.batch = rowsOf(x);
    c.inputs = static_cast<std::int32_t>(x.back());
    c.outputs = static_cast<std::int32_t>(y.back());
    return c;
}

ChoiceOrRefusal chooseLinear(const KernelRequest& request, const ChainForm& chain) {
    const Shape& y = request.outputs[0].shape;
    const auto epilogue = epilogueOf(request, chain, y.size() - 1);
    if (!epilogue) {
        return tl::unexpected(epilogue.error());
    }
    return planned(request, {.of = ofOnePlace(request.inputs[0].shape, y), .epilogue = *epilogue});
}

ChoiceOrRefusal chooseLinearDx(const KernelRequest& request) {
    return planned(request, {.of = ofOnePlace(request.outputs[0].shape, request.inputs[0].shape),
                             .pass = ConvolutionPass::inputGradient});
}

/// Of dy and x, in that order.
ChoiceOrRefusal chooseLinearDw(const KernelRequest& request) {
    return planned(request, {.of = ofOnePlace(request.inputs[1].shape, request.inputs[0].shape),
                             .pass = ConvolutionPass::weightGradient,
                             .first = 1,
                             .second = 0});
}

} // namespace

KernelList roundingKernels() {
    KernelList list;
    if (plans::areBuiltIn()) {
        const std::string name = nameOfPlanned(Precision::tf32);
        addConvolutions(list, name, planned, whatPlanningLacks);
        addWithEpilogues(list, "linear", name, chooseLinear, whatPlanningLacks);
        list.add({.op = "linear_dx",
                  .implementation = name,
                  .choose = chooseLinearDx,
                  .lacks = whatPlanningLacks});
        list.add({.op = "linear_dw",
                  .implementation = name,
                  .choose = chooseLinearDw,
                  .lacks = whatPlanningLacks});
    }
    return list;
}

} // namespace weft::cuda
