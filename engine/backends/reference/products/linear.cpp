// SPDX-License-Identifier: Apache-2.0
// y[n, o] = sum_i x[n, i] w[o, i]; dx[n, i] = sum_o dy[n, o] w[o, i]; dw[o, i] = sum_n dy[n, o]
// x[n, i]. Split operands only change the shapes.
#include "backends/reference/reference_kernel.h"

namespace weft::reference {

void linear(KernelList& list) {
    addKernel(list, "linear", []<class T>(const Call<T>& call) {
        const T* x = call.in(0);
        const T* w = call.in(1);
        T* y = call.out();
        const std::int64_t rows = rowsOf(call.input(0).shape);
        const std::int64_t inputs = call.input(1).shape[1];
        const std::int64_t outputs = call.input(1).shape[0];
        for (std::int64_t n = 0; n < rows; ++n) {
            for (std::int64_t o = 0; o < outputs; ++o) {
                double sum = 0;
                for (std::int64_t i = 0; i < inputs; ++i) {
                    sum += static_cast<double>(x[n * inputs + i]) * w[o * inputs + i];
                }
                y[n * outputs + o] = static_cast<T>(sum);
            }
        }
    });
    addKernel(list, "linear_dx", []<class T>(const Call<T>& call) {
        const T* dy = call.in(0);
        const T* w = call.in(1);
        T* dx = call.out();
        const std::int64_t rows = rowsOf(call.input(0).shape);
        const std::int64_t inputs = call.input(1).shape[1];
        const std::int64_t outputs = call.input(1).shape[0];
        for (std::int64_t n = 0; n < rows; ++n) {
            for (std::int64_t i = 0; i < inputs; ++i) {
                double sum = 0;
                for (std::int64_t o = 0; o < outputs; ++o) {
                    sum += static_cast<double>(dy[n * outputs + o]) * w[o * inputs + i];
                }
                dx[n * inputs + i] = static_cast<T>(sum);
            }
        }
    });
    addKernel(list, "linear_dw", []<class T>(const Call<T>& call) {
        const T* dy = call.in(0);
        const T* x = call.in(1);
        T* dw = call.out();
        const std::int64_t rows = rowsOf(call.input(0).shape);
        const std::int64_t inputs = call.input(1).shape.back();
        const std::int64_t outputs = call.input(0).shape.back();
        for (std::int64_t o = 0; o < outputs; ++o) {
            for (std::int64_t i = 0; i < inputs; ++i) {
                double sum = 0;
                for (std::int64_t n = 0; n < rows; ++n) {
                    sum += static_cast<double>(dy[n * outputs + o]) * x[n * inputs + i];
                }
                dw[o * inputs + i] = static_cast<T>(sum);
            }
        }
    });
}

} // namespace weft::reference
