// SPDX-License-Identifier: Apache-2.0
// y = the sum, the maximum or the product over dims
#include "backends/cuda/reduce/reduce.h"
#include "backends/cuda/sums.h"

namespace weft::cuda {

void reduce_sum(KernelList& list);

namespace {

/// True if the last dim alone is reduced, or all dims of the others have
/// size 1.
bool isByRows(const ReduceLoops& loops, const Shape& x) {
    return !x.empty() && loops.isInnermostReduced() && loops.kept.count <= 1 &&
           loops.reduced.iterations == x.back();
}

template <Reduction reduction>
ChoiceOrRefusal chooseReduction(const KernelRequest& request) {
    const Shape& shape = request.inputs[0].shape;
    const std::optional<ReduceLoops> found = reduceLoops(shape, request.attributes);
    if (!found) {
        return refuse("reduces more groups of dims than its loops have");
    }
    if (isByRows(*found, shape) && reduction == Reduction::sum) {
        return rowSumsOf(request, {}, 0, [](RowSum& of, const KernelArguments& arguments) {
            of.x = input<float>(arguments, 0);
        });
    }
    const bool isMaximumOfRows = reduction == Reduction::maximum && isByRows(*found, shape);
    const std::int64_t d = shape.empty() ? 1 : shape.back();
    const auto run = [=, loops = *found](const KernelArguments& arguments) {
        const auto* const x = input<float>(arguments, 0);
        auto* const y = output<float>(arguments, 0);
        if (isMaximumOfRows) {
            launchRowMaxima(x, loops.kept.iterations, d, y, streamOf(arguments));
        } else {
            launchReduce(reduction, loops, x, y, streamOf(arguments));
        }
    };
    return allPlain(request, choiceOf(run));
}

} // namespace

void reduce_sum(KernelList& list) {
    list.add({"reduce_sum", "cuda", chooseReduction<Reduction::sum>});
    list.add({"reduce_max", "cuda", chooseReduction<Reduction::maximum>});
    list.add({"reduce_prod", "cuda", chooseReduction<Reduction::product>});
}

} // namespace weft::cuda
