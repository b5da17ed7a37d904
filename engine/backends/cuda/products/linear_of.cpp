// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/products/linear_of.h"

#include "device/rows.h"

namespace weft::cuda {

MatrixProduct productOfY(const KernelRequest& request) {
    const std::int64_t rows = rowsOf(request.inputs[0].shape);
    const std::int64_t o = request.inputs[1].shape[0];
    const std::int64_t i = request.inputs[1].shape[1];
    return {.size = {1, rows, o, i},
            .a = {.row = i, .term = 1},
            .b = {.row = i, .term = 1},
            .resultRow = o};
}

MatrixProduct productOfDx(const KernelRequest& request) {
    const std::int64_t rows = rowsOf(request.inputs[0].shape);
    const std::int64_t o = request.inputs[1].shape[0];
    const std::int64_t i = request.inputs[1].shape[1];
    return {.size = {1, rows, i, o},
            .a = {.row = o, .term = 1},
            .b = {.row = 1, .term = i},
            .resultRow = i};
}

MatrixProduct productOfDw(const KernelRequest& request) {
    const std::int64_t rows = rowsOf(request.inputs[0].shape);
    const std::int64_t o = request.inputs[0].shape.back();
    const std::int64_t i = request.inputs[1].shape.back();
    return {.size = {1, o, i, rows},
            .a = {.row = 1, .term = o},
            .b = {.row = 1, .term = i},
            .resultRow = i};
}

} // namespace weft::cuda
