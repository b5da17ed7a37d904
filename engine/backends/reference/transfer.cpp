// SPDX-License-Identifier: Apache-2.0
// a = T(v); dv = T'(v) da; y[b] = sum of the cost of each code, in double
#include "graph/transfer.h"

#include "backends/reference/reference_kernel.h"

namespace weft::reference {

namespace {

Transfer transferOf(const KernelRequest& request) { return Transfer(request.attributes); }

} // namespace

void transfer(KernelList& list) {
    addKernel(list, "transfer", transferOf, []<class T>(const Call<T>& call, const Transfer& at) {
        for (std::int64_t k = 0; k < call.output().elements(); ++k) {
            call.out()[k] = static_cast<T>(at.code(call.in(0)[k]));
        }
    });
    addKernel(list, "transfer_gradient", transferOf,
              []<class T>(const Call<T>& call, const Transfer& at) {
                  for (std::int64_t k = 0; k < call.output().elements(); ++k) {
                      call.out()[k] = static_cast<T>(at.slope(call.in(0)[k]) * call.in(1)[k]);
                  }
              });
    addKernel(list, "transfer_cost", transferOf,
              []<class T>(const Call<T>& call, const Transfer& at) {
                  const Shape& shape = call.input(0).shape;
                  const std::int64_t each = product(shape, 1, shape.size());
                  for (std::int64_t b = 0; b < shape[0]; ++b) {
                      double sum = 0;
                      for (std::int64_t k = 0; k < each; ++k) {
                          sum += at.cost(call.in(0)[b * each + k]);
                      }
                      call.out()[b] = static_cast<T>(sum);
                  }
              });
}

} // namespace weft::reference
