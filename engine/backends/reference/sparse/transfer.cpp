// SPDX-License-Identifier: Apache-2.0
// a = T(v); dv = T'(v) da; y[b] = sum of the cost of each code, in double
#include "backends/reference/reference_kernel.h"
#include "graph/transfer_function.h"

namespace weft::reference {

namespace {

TransferFunction transferOf(const KernelRequest& request) {
    return TransferFunction(request.attributes);
}

} // namespace

void transfer(KernelList& list) {
    addKernel(list, "transfer", transferOf,
              []<class T>(const Call<T>& call, const TransferFunction& function) {
                  for (std::int64_t k = 0; k < call.output().elements(); ++k) {
                      call.out()[k] = static_cast<T>(function.code(call.in(0)[k]));
                  }
              });
    addKernel(list, "transfer_gradient", transferOf,
              []<class T>(const Call<T>& call, const TransferFunction& function) {
                  for (std::int64_t k = 0; k < call.output().elements(); ++k) {
                      call.out()[k] = static_cast<T>(function.slope(call.in(0)[k]) * call.in(1)[k]);
                  }
              });
    addKernel(list, "transfer_cost", transferOf,
              []<class T>(const Call<T>& call, const TransferFunction& function) {
                  const Shape& shape = call.input(0).shape;
                  const std::int64_t each = product(shape, 1, shape.size());
                  for (std::int64_t b = 0; b < shape[0]; ++b) {
                      double sum = 0;
                      for (std::int64_t k = 0; k < each; ++k) {
                          sum += function.cost(call.in(0)[b * each + k]);
                      }
                      call.out()[b] = static_cast<T>(sum);
                  }
              });
}

} // namespace weft::reference
