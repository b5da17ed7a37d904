// SPDX-License-Identifier: Apache-2.0
// y = x w^T (and + b, + z, max(0, .)), dx = dy w, dw = dy^T x with w [o, i] and all leading dims of
// x as rows
#include "backends/cuda/epilogue.h"
#include "device/rows.h"

namespace weft::cuda {

void linear(KernelList& list);

namespace {

ChoiceOrRefusal chooseLinear(const KernelRequest& request, const ChainForm& chain) {
    const std::int64_t rows = rowsOf(request.inputs[0].shape);
    const std::int64_t o = request.inputs[1].shape[0];
    const std::int64_t i = request.inputs[1].shape[1];
    return productOf(request,
                     {.size = {1, rows, o, i},
                      .a = {.row = i, .term = 1},
                      .b = {.row = i, .term = 1},
                      .resultRow = o},
                     chain);
}

ChoiceOrRefusal chooseLinearDx(const KernelRequest& request) {
    const std::int64_t rows = rowsOf(request.inputs[0].shape);
    const std::int64_t o = request.inputs[1].shape[0];
    const std::int64_t i = request.inputs[1].shape[1];
    return productOf(request, {.size = {1, rows, i, o},
                               .a = {.row = o, .term = 1},
                               .b = {.row = 1, .term = i},
                               .resultRow = i});
}

ChoiceOrRefusal chooseLinearDw(const KernelRequest& request) {
    const std::int64_t rows = rowsOf(request.inputs[0].shape);
    const std::int64_t o = request.inputs[0].shape.back();
    const std::int64_t i = request.inputs[1].shape.back();
    return productOf(request, {.size = {1, o, i, rows},
                               .a = {.row = 1, .term = o},
                               .b = {.row = 1, .term = i},
                               .resultRow = i});
}

} // namespace

void linear(KernelList& list) {
    addWithEpilogues(list, "linear", "cuda", chooseLinear);
    list.add({"linear_dx", "cuda", chooseLinearDx});
    list.add({"linear_dw", "cuda", chooseLinearDw});
}

} // namespace weft::cuda
