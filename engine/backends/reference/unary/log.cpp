// SPDX-License-Identifier: Apache-2.0
// y = log x, exp x, x^2, 1 / sqrt(x + epsilon)
#include "backends/reference/elementwise.h"

#include <cmath>

namespace weft::reference {

void log(KernelList& list) {
    addUnary(list, "log", [](auto x) { return std::log(x); });
    addUnary(list, "exp", [](auto x) { return std::exp(x); });
    addUnary(list, "square", [](auto x) { return x * x; });
    addKernel(
        list, "reciprocal_root",
        [](const KernelRequest& request) { return request.attributes.real("epsilon"); },
        []<class T>(const Call<T>& call, double epsilon) {
            for (std::int64_t k = 0; k < call.output().elements(); ++k) {
                call.out()[k] = 1 / std::sqrt(call.in(0)[k] + static_cast<T>(epsilon));
            }
        });
}

} // namespace weft::reference
