// SPDX-License-Identifier: Apache-2.0
// y = x, in another type
#include "backends/reference/reference_kernel.h"

#include <Eigen/Core>

namespace weft::reference {

namespace {

template <class From, class To>
void castAll(const void* x, void* y, std::int64_t count) {
    for (std::int64_t k = 0; k < count; ++k) {
        static_cast<To*>(y)[k] = static_cast<To>(static_cast<const From*>(x)[k]);
    }
}

using Cast = void (*)(const void*, void*, std::int64_t);

template <class From>
Cast castFrom(DType to) {
    switch (to) {
    case DType::f32: return castAll<From, float>;
    case DType::f64: return castAll<From, double>;
    case DType::bf16: return castAll<From, Eigen::bfloat16>;
    case DType::f16: return castAll<From, Eigen::half>;
    case DType::i32: return castAll<From, std::int32_t>;
    case DType::i64: return castAll<From, std::int64_t>;
    case DType::u8: return castAll<From, std::uint8_t>;
    }
    return nullptr;
}

Cast castBetween(DType from, DType to) {
    switch (from) {
    case DType::f32: return castFrom<float>(to);
    case DType::f64: return castFrom<double>(to);
    case DType::bf16: return castFrom<Eigen::bfloat16>(to);
    case DType::f16: return castFrom<Eigen::half>(to);
    case DType::i32: return castFrom<std::int32_t>(to);
    case DType::i64: return castFrom<std::int64_t>(to);
    case DType::u8: return castFrom<std::uint8_t>(to);
    }
    return nullptr;
}

} // namespace

void cast(KernelList& list) {
    list.add({"cast", "reference",
              [](const KernelRequest& request) {
                  const Cast cast = castBetween(request.inputs[0].dtype, request.outputs[0].dtype);
                  const std::int64_t count = request.outputs[0].elements();
                  return plainChoice(request, [=](const KernelArguments& arguments) {
                      cast(arguments.inputs[0], arguments.outputs[0], count);
                  });
              },
              anyType});
}

} // namespace weft::reference
