// SPDX-License-Identifier: Apache-2.0
// y = x[target], 0 if another part has the class or it is ignored, NaN if there is no such class
#include "backends/cuda/losses/class_rows.h"

namespace weft::cuda {

void pick(KernelList& list);

namespace {

ChoiceOrRefusal choosePick(const KernelRequest& request) {
    const TargetsOf targets(request, 1);
    const ClassRows rows = classRowsOf(request.inputs[0]);
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        launchPick(rows, input<float>(arguments, 0), targets(arguments),
                                   output<float>(arguments, 0), streamOf(arguments));
                    }));
}

} // namespace

void pick(KernelList& list) { list.add({"pick", "cuda", choosePick}); }

} // namespace weft::cuda
