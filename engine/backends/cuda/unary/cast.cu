// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/kernels/launch.h"
#include "backends/cuda/unary/cast.h"

namespace weft::cuda {

namespace {

template <class From, class To>
__global__ void castKernel(const From* x, To* y, std::int64_t n) {
    for (std::int64_t k = firstElement(); k < n; k += elementStep()) {
        y[k] = static_cast<To>(x[k]);
    }
}

/// Calls with(a number of that type).
template <class With>
void withNumber(Number type, const With& with) {
    switch (type) {
    case Number::f32: return with(float{});
    case Number::f64: return with(double{});
    case Number::i32: return with(std::int32_t{});
    case Number::i64: return with(std::int64_t{});
    case Number::u8: return with(std::uint8_t{});
    }
}

} // namespace

void launchCast(Number fromType, Number toType, const void* x, void* y, std::int64_t n,
                StreamHandle stream) {
    withNumber(fromType, [=]<class From>(From) {
        withNumber(toType, [=]<class To>(To) {
            const auto kernel = castKernel<From, To>;
            KERNEL_LAUNCH(kernel, blocksFor(n), blockThreads, 0, stream,
                          static_cast<const From*>(x), static_cast<To*>(y), n);
        });
    });
}

} // namespace weft::cuda
