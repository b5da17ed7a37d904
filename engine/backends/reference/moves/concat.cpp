// SPDX-License-Identifier: Apache-2.0
// For each row of the dims before the joined one, copies the blocks of all inputs in order.
#include "backends/reference/reference_kernel.h"

#include <cstring>

namespace weft::reference {

namespace {

void joinBlocks(const KernelRequest& request, const KernelArguments& arguments) {
    const Shape& y = request.outputs[0].shape;
    std::int64_t dim = request.attributes.integer("dim");
    dim += dim < 0 ? static_cast<std::int64_t>(y.size()) : 0;
    const auto joinedDim = static_cast<std::size_t>(dim);
    const std::int64_t outer = product(y, 0, joinedDim);
    auto* to = static_cast<std::byte*>(arguments.outputs[0]);
    for (std::int64_t row = 0; row < outer; ++row) {
        for (std::size_t k = 0; k < request.inputs.size(); ++k) {
            const Shape& x = request.inputs[k].shape;
            const auto block = static_cast<std::size_t>(product(x, joinedDim, x.size())) *
                               byteSize(request.inputs[k].dtype);
            std::memcpy(to,
                        static_cast<const std::byte*>(arguments.inputs[k]) +
                            static_cast<std::size_t>(row) * block,
                        block);
            to += block;
        }
    }
}

} // namespace

void concat(KernelList& list) {
    list.add({"concat", "reference",
              [](const KernelRequest& request) {
                  return plainChoice(request, [=](const KernelArguments& arguments) {
                      joinBlocks(request, arguments);
                  });
              },
              anyType});
}

} // namespace weft::reference
