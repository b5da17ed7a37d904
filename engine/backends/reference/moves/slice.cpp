// SPDX-License-Identifier: Apache-2.0
// slice: y[.., u, ..] = x[.., begin + u, ..]; pad: y[.., before + u, ..] = x[.., u, ..], else 0
#include "backends/reference/reference_kernel.h"

#include <cstring>

namespace weft::reference {

namespace {

/// Copies a block of `common` positions per row of the dims before; the rest of y is zero.
void copyBlocks(const KernelRequest& request, const KernelArguments& arguments, std::int64_t skipX,
                std::int64_t skipY) {
    const Shape& x = request.inputs[0].shape;
    const Shape& y = request.outputs[0].shape;
    std::int64_t named = request.attributes.integer("dim");
    named += named < 0 ? static_cast<std::int64_t>(x.size()) : 0;
    const auto dim = static_cast<std::size_t>(named);
    const auto inner =
        static_cast<std::size_t>(product(x, dim + 1, x.size())) * byteSize(request.inputs[0].dtype);
    const std::int64_t common = std::min(x[dim], y[dim]);
    const auto* from = static_cast<const std::byte*>(arguments.inputs[0]);
    auto* to = static_cast<std::byte*>(arguments.outputs[0]);
    const auto bytes = [inner](std::int64_t positions) {
        return static_cast<std::size_t>(positions) * inner;
    };
    for (std::int64_t row = 0; row < product(x, 0, dim); ++row) {
        std::memset(to + bytes(row * y[dim]), 0, bytes(y[dim]));
        std::memcpy(to + bytes(row * y[dim] + skipY), from + bytes(row * x[dim] + skipX),
                    bytes(common));
    }
}

} // namespace

void slice(KernelList& list) {
    list.add({"slice", "reference",
              [](const KernelRequest& request) {
                  const std::int64_t begin = request.attributes.integer("begin");
                  return plainChoice(request, [=](const KernelArguments& arguments) {
                      copyBlocks(request, arguments, begin, 0);
                  });
              },
              anyType});
    list.add({"pad", "reference",
              [](const KernelRequest& request) {
                  const std::int64_t before = request.attributes.integer("before");
                  return plainChoice(request, [=](const KernelArguments& arguments) {
                      copyBlocks(request, arguments, 0, before);
                  });
              },
              anyType});
}

} // namespace weft::reference
