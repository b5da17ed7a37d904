// SPDX-License-Identifier: Apache-2.0
// y[b] = sum of x^2 / 2, in double; sum of 10 log10(signal / noise) where both are above 0, and
// count
#include "backends/reference/reference_kernel.h"

#include <cmath>

namespace weft::reference {

void half_squares(KernelList& list) {
    addKernel(list, "half_squares", []<class T>(const Call<T>& call) {
        const Shape& shape = call.input(0).shape;
        const std::int64_t each = product(shape, 1, shape.size());
        for (std::int64_t b = 0; b < shape[0]; ++b) {
            double sum = 0;
            for (std::int64_t k = 0; k < each; ++k) {
                const double x = call.in(0)[b * each + k];
                sum += x * x;
            }
            call.out()[b] = static_cast<T>(sum / 2);
        }
    });
    addKernel(
        list, "sum_decibels",
        [](const KernelRequest& request) { return request.attributes.real("against"); },
        []<class T>(const Call<T>& call, double against) {
            double sum = 0;
            std::int64_t count = 0;
            for (std::int64_t b = 0; b < call.input(0).elements(); ++b) {
                const double signal = against > 0 ? against : call.in(0)[b];
                const double noise = call.in(1)[b];
                if (signal > 0 && noise > 0) {
                    sum += 10 * std::log10(signal / noise);
                    ++count;
                }
            }
            *call.out(0) = static_cast<T>(sum);
            *call.out(1) = static_cast<T>(count);
        });
}

} // namespace weft::reference
