// SPDX-License-Identifier: Apache-2.0
// y[row] = the sum or the maximum of a row
#include "backends/cuda/sums.h"

namespace weft::cuda {

void reduce_sum(KernelList& list);

namespace {

ChoiceOrRefusal chooseRowSum(const KernelRequest& request) {
    return rowSumsOf(request, {}, 0, [](RowSum& of, const KernelArguments& arguments) {
        of.x = input<float>(arguments, 0);
    });
}

ChoiceOrRefusal chooseRowMax(const KernelRequest& request) {
    const std::int64_t d = request.inputs[0].shape.back();
    const std::int64_t rows = request.inputs[0].elements() / d;
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        launchRowMaxima(input<float>(arguments, 0), rows, d,
                                        output<float>(arguments, 0), streamOf(arguments));
                    }));
}

} // namespace

void reduce_sum(KernelList& list) {
    list.add({"reduce_sum", "cuda", chooseRowSum});
    list.add({"reduce_max", "cuda", chooseRowMax});
}

} // namespace weft::cuda
