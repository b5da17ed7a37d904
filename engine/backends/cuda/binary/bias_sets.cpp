// SPDX-License-Identifier: Apache-2.0
// y = x + b along one dim, with b of the set of each element and position; db = the sum of dy over
// everything that shares a number of b
#include "backends/cuda/binary/bias_sets.h"

#include "backends/cuda/request.h"
#include "device/rows.h"
#include "graph/set_sharing.h"

namespace weft::cuda {

void bias_sets(KernelList& list);

namespace {

BiasSets biasSetsOf(const KernelRequest& request) {
    const Shape& x = request.inputs[0].shape;
    const Along along = alongDim(x, {}, request.attributes.integer("dim"));
    const SetSharing sharing(request.attributes);
    return {.batch = x[0],
            .before = along.outer / x[0],
            .features = along.n,
            .behind = along.inner,
            .perElement = sharing.perElement,
            .perPosition = sharing.perPosition};
}

ChoiceOrRefusal chooseBiasSets(const KernelRequest& request) {
    return allPlain(request,
                    choiceOf([sets = biasSetsOf(request)](const KernelArguments& arguments) {
                        launchBiasSets(sets, input<float>(arguments, 0), input<float>(arguments, 1),
                                       output<float>(arguments, 0), streamOf(arguments));
                    }));
}

ChoiceOrRefusal chooseBiasSetsGradient(const KernelRequest& request) {
    return allPlain(request,
                    choiceOf([sets = biasSetsOf(request)](const KernelArguments& arguments) {
                        launchBiasSetsGradient(sets, input<float>(arguments, 0),
                                               output<float>(arguments, 0), streamOf(arguments));
                    }));
}

} // namespace

void bias_sets(KernelList& list) {
    list.add({"bias_sets", "cuda", chooseBiasSets});
    list.add({"bias_sets_gradient", "cuda", chooseBiasSetsGradient});
}

} // namespace weft::cuda
