// SPDX-License-Identifier: Apache-2.0
// y = x + b and y = x s along one dim; db = the sum of dy over all other dims.
#include "backends/reference/reference_kernel.h"

#include <functional>

namespace weft::reference {

namespace {

/// x as [outer, size, inner] around the dim.
struct Around {
    std::int64_t outer, size, inner;
};

Around aroundDim(const KernelRequest& request) {
    const Shape& x = request.inputs[0].shape;
    const std::int64_t given = request.attributes.integer("dim");
    const auto dim =
        static_cast<std::size_t>(given < 0 ? given + static_cast<std::int64_t>(x.size()) : given);
    return {product(x, 0, dim), x[dim], product(x, dim + 1, x.size())};
}

/// Adds y = f(x, b), with one number of b for each index along the dim.
template <class F>
void addAlongDim(KernelList& list, const char* op, F f) {
    addKernel(list, op, aroundDim, [f]<class T>(const Call<T>& call, const Around& at) {
        const T* x = call.in(0);
        const T* b = call.in(1);
        T* y = call.out();
        for (std::int64_t n = 0; n < at.outer; ++n) {
            for (std::int64_t c = 0; c < at.size; ++c) {
                for (std::int64_t k = 0; k < at.inner; ++k) {
                    const std::int64_t element = (n * at.size + c) * at.inner + k;
                    y[element] = f(x[element], b[c]);
                }
            }
        }
    });
}

} // namespace

void bias(KernelList& list) {
    addAlongDim(list, "bias_add", std::plus{});
    addAlongDim(list, "channel_scale", std::multiplies{});
    addKernel(list, "bias_gradient", aroundDim, []<class T>(const Call<T>& call, const Around& at) {
        const T* dy = call.in(0);
        T* db = call.out();
        for (std::int64_t c = 0; c < at.size; ++c) {
            double sum = 0;
            for (std::int64_t n = 0; n < at.outer; ++n) {
                for (std::int64_t k = 0; k < at.inner; ++k) {
                    sum += dy[(n * at.size + c) * at.inner + k];
                }
            }
            db[c] = static_cast<T>(sum);
        }
    });
}

} // namespace weft::reference
