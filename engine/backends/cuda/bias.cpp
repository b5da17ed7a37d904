// SPDX-License-Identifier: Apache-2.0
// y = x + b along one dim
#include "backends/cuda/elementwise.h"
#include "device/rows.h"

namespace weft::cuda {

void bias(KernelList& list);

namespace {

ChoiceOrRefusal chooseAdd(const KernelRequest& request) {
    const auto format = formatForAll(request, request.inputs[0].shape);
    if (!format || !isOrder(*format)) {
        return refuse("blocked formats have no bias here");
    }
    const Along along =
        alongDim(request.inputs[0].shape, *format, request.attributes.integer("dim"));
    return spreadOf(request, Binary::add, {.inner = along.inner, .n = along.n}, *format);
}

} // namespace

void bias(KernelList& list) { list.add({"bias_add", "cuda", chooseAdd}); }

} // namespace weft::cuda
