// SPDX-License-Identifier: Apache-2.0
// slice: y[.., u, ..] = x[.., begin + u step, ..]
// pad: y[.., before + u step, ..] = x[.., u, ..], counted from the end if step is below 0; else
// value
#include "backends/reference/reference_kernel.h"

#include <cstdlib>
#include <cstring>

namespace weft::reference {

namespace {

std::size_t dimOf(const KernelRequest& request) {
    const std::int64_t dim = request.attributes.integer("dim");
    return static_cast<std::size_t>(
        dim + (dim < 0 ? static_cast<std::int64_t>(request.inputs[0].shape.size()) : 0));
}

void copySlice(const KernelRequest& request, const KernelArguments& arguments) {
    const Shape& x = request.inputs[0].shape;
    const Shape& y = request.outputs[0].shape;
    const std::size_t dim = dimOf(request);
    const std::int64_t begin = request.attributes.integer("begin");
    const std::int64_t step = request.attributes.integer("step");
    const std::size_t bytes =
        static_cast<std::size_t>(product(x, dim + 1, x.size())) * byteSize(request.inputs[0].dtype);
    auto* to = static_cast<std::byte*>(arguments.outputs[0]);
    for (std::int64_t row = 0; row < product(x, 0, dim); ++row) {
        for (std::int64_t u = 0; u < y[dim]; ++u) {
            const std::int64_t at = row * x[dim] + begin + u * step;
            std::memcpy(to,
                        static_cast<const std::byte*>(arguments.inputs[0]) +
                            static_cast<std::size_t>(at) * bytes,
                        bytes);
            to += bytes;
        }
    }
}

} // namespace

void slice(KernelList& list) {
    list.add({"slice", "reference",
              [](const KernelRequest& request) {
                  return plainChoice(request, [=](const KernelArguments& arguments) {
                      copySlice(request, arguments);
                  });
              },
              anyType});
    addKernel(list, "pad", []<class T>(const Call<T>& call) {
        const Shape& x = call.input(0).shape;
        const Shape& y = call.output().shape;
        const std::size_t dim = dimOf(call.request);
        const std::int64_t before = call.request.attributes.integer("before");
        const std::int64_t step = call.request.attributes.integer("step");
        const std::int64_t inner = product(x, dim + 1, x.size());
        std::fill_n(call.out(), call.output().elements(),
                    static_cast<T>(call.request.attributes.real("value")));
        for (std::int64_t row = 0; row < product(x, 0, dim); ++row) {
            for (std::int64_t u = 0; u < x[dim]; ++u) {
                const std::int64_t place = step > 0 ? u : x[dim] - 1 - u;
                std::copy_n(call.in(0) + (row * x[dim] + u) * inner, inner,
                            call.out() + (row * y[dim] + before + place * std::abs(step)) * inner);
            }
        }
    });
}

} // namespace weft::reference
