// SPDX-License-Identifier: Apache-2.0
// linear with a set of weights per element, per position, or both (ops/products/linear_sets.cpp): y
// = x w^T, dx = dy w, dw = dy^T x in each set, in one launch
#include "backends/cuda/products/epilogue.h"
#include "graph/set_sharing.h"

namespace weft::cuda {

void linear_sets(KernelList& list);

namespace {

/// The rows of a map [batch, positions, ...] that share a set.
struct RowsOfSets {
    std::int64_t sets, rows;       ///< rows per set
    std::int64_t setStep, rowStep; ///< in rows of the map

    RowsOfSets(const Attributes& attributes, const Shape& map) {
        const SetSharing sharing(attributes);
        const std::int64_t positions = map.size() == 3 ? map[1] : 1;
        sets = (sharing.perElement ? map[0] : 1) * (sharing.perPosition ? positions : 1);
        rows = map[0] * positions / sets;
        setStep = sharing.perPosition ? 1 : positions;
        rowStep = sharing.perPosition ? positions : 1;
    }
};

ChoiceOrRefusal chooseLinearSets(const KernelRequest& request) {
    const RowsOfSets of(request.attributes, request.inputs[0].shape);
    const std::int64_t i = request.inputs[0].shape.back();
    const std::int64_t o = request.outputs[0].shape.back();
    return productOf(request, {.size = {of.sets, of.rows, o, i},
                               .a = {of.setStep * i, of.rowStep * i, 1},
                               .b = {o * i, i, 1},
                               .resultSet = of.setStep * o,
                               .resultRow = of.rowStep * o});
}

ChoiceOrRefusal chooseLinearSetsDx(const KernelRequest& request) {
    const RowsOfSets of(request.attributes, request.inputs[0].shape);
    const std::int64_t o = request.inputs[0].shape.back();
    const std::int64_t i = request.outputs[0].shape.back();
    return productOf(request, {.size = {of.sets, of.rows, i, o},
                               .a = {of.setStep * o, of.rowStep * o, 1},
                               .b = {o * i, 1, i},
                               .resultSet = of.setStep * i,
                               .resultRow = of.rowStep * i});
}

ChoiceOrRefusal chooseLinearSetsDw(const KernelRequest& request) {
    const RowsOfSets of(request.attributes, request.inputs[0].shape);
    const std::int64_t o = request.inputs[0].shape.back();
    const std::int64_t i = request.inputs[1].shape.back();
    return productOf(request, {.size = {of.sets, o, i, of.rows},
                               .a = {of.setStep * o, 1, of.rowStep * o},
                               .b = {of.setStep * i, 1, of.rowStep * i},
                               .resultSet = o * i,
                               .resultRow = i});
}

} // namespace

void linear_sets(KernelList& list) {
    list.add({"linear_sets", "cuda", chooseLinearSets});
    list.add({"linear_sets_dx", "cuda", chooseLinearSetsDx});
    list.add({"linear_sets_dw", "cuda", chooseLinearSetsDw});
}

} // namespace weft::cuda
