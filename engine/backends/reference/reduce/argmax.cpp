// SPDX-License-Identifier: Apache-2.0
// index = first k with the largest x_k; n = -(first k of the whole with x_k >= m), or minus the
// whole size; index = -n
#include "backends/reference/reference_kernel.h"

namespace weft::reference {

void argmax(KernelList& list) {
    addKernel(list, "argmax", []<class T>(const Call<T>& call) {
        const std::int64_t classes = call.input(0).shape.back();
        for (std::int64_t row = 0; row < call.output().elements(); ++row) {
            const T* x = call.in(0) + row * classes;
            call.setInteger(0, row, std::max_element(x, x + classes) - x);
        }
    });
    addKernel(list, "index_of_max", []<class T>(const Call<T>& call) {
        const TensorPart& x = call.input(0);
        const std::int64_t classes = x.shape.back();
        for (std::int64_t row = 0; row < call.output().elements(); ++row) {
            const T m = call.in(1)[row];
            std::int64_t first = x.whole.back();
            for (std::int64_t k = classes - 1; k >= 0; --k) {
                if (call.in(0)[row * classes + k] >= m) {
                    first = x.begin.back() + k;
                }
            }
            call.out()[row] = static_cast<T>(-first);
        }
    });
    addKernel(list, "negated_index", []<class T>(const Call<T>& call) {
        for (std::int64_t k = 0; k < call.output().elements(); ++k) {
            call.setInteger(0, k, static_cast<std::int64_t>(-call.in(0)[k]));
        }
    });
}

} // namespace weft::reference
