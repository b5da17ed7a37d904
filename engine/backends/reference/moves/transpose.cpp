// SPDX-License-Identifier: Apache-2.0
// y[i0, i1, ..] = x at the index whose part order[k] is ik
#include "backends/reference/reference_kernel.h"

#include <cstring>

namespace weft::reference {

namespace {

void copyTransposed(const KernelRequest& request, const KernelArguments& arguments) {
    const Shape& x = request.inputs[0].shape;
    const Shape& y = request.outputs[0].shape;
    const std::vector<std::int64_t> order = request.attributes.integers("order");
    const std::size_t bytes = byteSize(request.inputs[0].dtype);
    for (std::int64_t n = 0; n < elementsOf(y); ++n) {
        std::int64_t rest = n;
        std::int64_t from = 0;
        for (std::size_t k = y.size(); k-- > 0;) {
            const auto dim = static_cast<std::size_t>(order[k]);
            from += rest % y[k] * product(x, dim + 1, x.size());
            rest /= y[k];
        }
        std::memcpy(static_cast<std::byte*>(arguments.outputs[0]) +
                        static_cast<std::size_t>(n) * bytes,
                    static_cast<const std::byte*>(arguments.inputs[0]) +
                        static_cast<std::size_t>(from) * bytes,
                    bytes);
    }
}

} // namespace

void transpose(KernelList& list) {
    list.add({"transpose", "reference",
              [](const KernelRequest& request) {
                  return plainChoice(request, [=](const KernelArguments& arguments) {
                      copyTransposed(request, arguments);
                  });
              },
              anyType});
}

} // namespace weft::reference
