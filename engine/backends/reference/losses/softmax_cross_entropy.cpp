// SPDX-License-Identifier: Apache-2.0
// lse = m + log sum_k exp(x_k - m), m = max x; loss = lse - x_target
// dx_k = (exp(x_k - lse) - [k = target]) dloss, with k in the whole range of classes
#include "backends/reference/reference_kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace weft::reference {

namespace {

template <class T>
T logSumExp(const T* x, std::int64_t classes) {
    const T m = *std::max_element(x, x + classes);
    double sum = 0;
    for (std::int64_t k = 0; k < classes; ++k) {
        sum += std::exp(static_cast<double>(x[k]) - m);
    }
    return static_cast<T>(m + std::log(sum));
}

struct Forward {
    template <class T>
    void operator()(const Call<T>& call, std::int64_t ignore) const {
        const std::int64_t classes = call.input(0).shape.back();
        for (std::int64_t row = 0; row < call.input(1).elements(); ++row) {
            const T* x = call.in(0) + row * classes;
            const T lse = logSumExp(x, classes);
            const std::int64_t target = call.integer(1, row);
            T loss = std::numeric_limits<T>::quiet_NaN();
            if (target == ignore) {
                loss = 0;
            } else if (target >= 0 && target < classes) {
                loss = lse - x[target];
            }
            call.out(0)[row] = loss;
            call.out(1)[row] = lse;
        }
    }
};

struct Backward {
    template <class T>
    void operator()(const Call<T>& call, std::int64_t ignore) const {
        const std::int64_t classes = call.input(0).shape.back();
        const std::int64_t first = call.input(0).begin.back();
        for (std::int64_t row = 0; row < call.input(1).elements(); ++row) {
            const std::int64_t target = call.integer(1, row);
            const T lse = call.in(2)[row];
            const T dloss = target == ignore ? T(0) : call.in(3)[row];
            for (std::int64_t k = 0; k < classes; ++k) {
                const std::int64_t place = row * classes + k;
                const T hot = first + k == target ? 1 : 0;
                call.out()[place] = (std::exp(call.in(0)[place] - lse) - hot) * dloss;
            }
        }
    }
};

} // namespace

void softmax_cross_entropy(KernelList& list) {
    addKernel(list, "softmax_cross_entropy", ignoredTarget, Forward{});
    addKernel(list, "softmax_cross_entropy_gradient", ignoredTarget, Backward{});
}

} // namespace weft::reference
