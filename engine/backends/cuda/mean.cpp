// SPDX-License-Identifier: Apache-2.0
// dx = dy / the whole count; y = x everywhere
#include "backends/cuda/elementwise.h"

namespace weft::cuda {

void mean(KernelList& list);

namespace {

ChoiceOrRefusal chooseMeanGradient(const KernelRequest& request) {
    return spreadOutOf(request, elementsOf(request.outputs[0].whole));
}

ChoiceOrRefusal chooseBroadcast(const KernelRequest& request) { return spreadOutOf(request, 1); }

} // namespace

void mean(KernelList& list) {
    list.add({"mean_gradient", "cuda", chooseMeanGradient});
    list.add({"broadcast_all", "cuda", chooseBroadcast});
}

} // namespace weft::cuda
