// SPDX-License-Identifier: Apache-2.0
// accuracy = hits / whole count of rows, with the first largest logit as the prediction
// hit: 1 where n = -target
#include "backends/reference/reference_kernel.h"

#include <algorithm>

namespace weft::reference {

namespace {

struct Accuracy {
    template <class T>
    void operator()(const Call<T>& call, std::int64_t ignore) const {
        const std::int64_t classes = call.input(0).shape.back();
        std::int64_t hits = 0;
        for (std::int64_t row = 0; row < call.input(1).elements(); ++row) {
            const T* x = call.in(0) + row * classes;
            const std::int64_t target = call.integer(1, row);
            const bool isHit = std::max_element(x, x + classes) - x == target;
            hits += isHit && target != ignore ? 1 : 0;
        }
        *call.out() = static_cast<T>(hits) / static_cast<T>(elementsOf(call.input(1).whole));
    }
};

struct Hit {
    template <class T>
    void operator()(const Call<T>& call, std::int64_t ignore) const {
        for (std::int64_t k = 0; k < call.input(1).elements(); ++k) {
            const std::int64_t target = call.integer(1, k);
            const bool isHit = call.in(0)[k] == -static_cast<T>(target);
            call.out()[k] = isHit && target != ignore ? 1 : 0;
        }
    }
};

} // namespace

void accuracy(KernelList& list) {
    addKernel(list, "accuracy", ignoredTarget, Accuracy{});
    addKernel(list, "hit", ignoredTarget, Hit{});
}

} // namespace weft::reference
