// SPDX-License-Identifier: Apache-2.0
// y = sum of x^2; y = min(1, limit / (sqrt(n) + 1e-6))
#include "backends/reference/reference_kernel.h"

#include <cmath>

namespace weft::reference {

void squares(KernelList& list) {
    addKernel(list, "squares", []<class T>(const Call<T>& call) {
        double sum = 0;
        for (std::int64_t k = 0; k < call.input(0).elements(); ++k) {
            sum += static_cast<double>(call.in(0)[k]) * call.in(0)[k];
        }
        *call.out() = static_cast<T>(sum);
    });
    addKernel(
        list, "clip_factor",
        [](const KernelRequest& request) { return request.attributes.real("limit"); },
        []<class T>(const Call<T>& call, double limit) {
            const double norm = std::sqrt(static_cast<double>(*call.in(0)));
            *call.out() = static_cast<T>(std::min(1.0, limit / (norm + 1e-6)));
        });
}

} // namespace weft::reference
