// SPDX-License-Identifier: Apache-2.0
// y = factor x; y = s x with a computed number s
#include "backends/cuda/elementwise.h"

namespace weft::cuda {

void scale(KernelList& list);

void scale(KernelList& list) {
    addPerElement(list, "scale");
    list.add({.op = "scale_by",
              .implementation = "cuda",
              .choose = [](const KernelRequest& request) -> ChoiceOrRefusal {
                  const auto format = formatForAll(request, request.outputs[0].shape);
                  if (!format) {
                      return refuse("operands have different memory formats");
                  }
                  return chooseBroadcast(request, Binary::multiply, {}, *format);
              },
              .takesBf16 = true});
}

} // namespace weft::cuda
