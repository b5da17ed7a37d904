// SPDX-License-Identifier: Apache-2.0
// Row-major elements keep their order, so both directions are a copy. So it is for parts, because
// only the first of the joined dims is ever split.
#include "backends/reference/reference_kernel.h"

#include <cstring>

namespace weft::reference {

namespace {

void copyBytes(const KernelRequest& request, const KernelArguments& arguments) {
    if (arguments.inputs[0] != arguments.outputs[0]) {
        std::memcpy(arguments.outputs[0], arguments.inputs[0],
                    static_cast<std::size_t>(request.outputs[0].elements()) *
                        byteSize(request.outputs[0].dtype));
    }
}

void addCopy(KernelList& list, const std::string& op) {
    list.add({op, "reference",
              [](const KernelRequest& request) {
                  return plainChoice(request, [=](const KernelArguments& arguments) {
                      copyBytes(request, arguments);
                  });
              },
              anyType});
}

} // namespace

void flatten(KernelList& list) {
    addCopy(list, "flatten");
    addCopy(list, "unflatten");
}

} // namespace weft::reference
