// SPDX-License-Identifier: Apache-2.0
// y = x w^T, dx = dy w, dw = dy^T x with w [o, i] and all leading dims of x as rows, by oneDNN.
#include "backends/cpu/onednn/primitive_kernel.h"
#include "device/epilogue.h"
#include "device/rows.h"

namespace weft::cpu {

void onednn_linear(KernelList& list);

namespace {

ChoiceOrRefusal chooseWith(const KernelRequest& request, const Product& product) {
    return primitiveKernel(request, chooseProduct(product, request.cores), {}, {});
}

/// y[m, o] = x[m, i] w[o, i]^T, and + b[o], max(0, .)
ChoiceOrRefusal chooseForward(const KernelRequest& request, const ChainForm& chain) {
    const Shape& x = request.inputs[0].shape;
    const Shape& w = request.inputs[1].shape;
    const auto epilogue = epilogueOf(request, chain, x.size() - 1);
    if (!epilogue) {
        return tl::unexpected(epilogue.error());
    }
    return chooseWith(request, {.m = rowsOf(x),
                                .n = w[0],
                                .k = w[1],
                                .aSteps = {w[1], 1},
                                .bSteps = {1, w[1]},
                                .cSteps = {w[0], 1},
                                .epilogue = *epilogue});
}

/// dx[m, i] = dy[m, o] w[o, i]
ChoiceOrRefusal chooseInputGradient(const KernelRequest& request) {
    const Shape& dy = request.inputs[0].shape;
    const Shape& w = request.inputs[1].shape;
    return chooseWith(request, {.m = rowsOf(dy),
                                .n = w[1],
                                .k = w[0],
                                .aSteps = {w[0], 1},
                                .bSteps = {w[1], 1},
                                .cSteps = {w[1], 1}});
}

/// dw[o, i] = dy[m, o]^T x[m, i]
ChoiceOrRefusal chooseWeightsGradient(const KernelRequest& request) {
    const std::int64_t o = request.inputs[0].shape.back();
    const Shape& x = request.inputs[1].shape;
    const std::int64_t i = x.back();
    return chooseWith(
        request,
        {.m = o, .n = i, .k = rowsOf(x), .aSteps = {1, o}, .bSteps = {i, 1}, .cSteps = {i, 1}});
}

} // namespace

void onednn_linear(KernelList& list) {
    addWithEpilogues(list, "linear", "onednn", chooseForward);
    list.add({"linear_dx", "onednn", chooseInputGradient});
    list.add({"linear_dw", "onednn", chooseWeightsGradient});
}

} // namespace weft::cpu
