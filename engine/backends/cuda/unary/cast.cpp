// SPDX-License-Identifier: Apache-2.0
// y = x converted to another type
#include "backends/cuda/unary/cast.h"

#include "backends/cuda/request.h"

namespace weft::cuda {

void cast(KernelList& list);

namespace {

ChoiceOrRefusal chooseCast(const KernelRequest& request) {
    const auto from = numberOf(request.inputs[0].dtype);
    const auto to = numberOf(request.outputs[0].dtype);
    if (!from || !to) {
        return refuse("does not cast 16-bit types");
    }
    const std::int64_t n = request.outputs[0].elements();
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        launchCast(*from, *to, arguments.inputs[0], arguments.outputs[0], n,
                                   streamOf(arguments));
                    }));
}

} // namespace

void cast(KernelList& list) { list.add({"cast", "cuda", chooseCast, anyType}); }

} // namespace weft::cuda
