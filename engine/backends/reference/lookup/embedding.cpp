// SPDX-License-Identifier: Apache-2.0
// y[n] = table[id_n - begin of this part], zeros if another part has the row
// dtable[v] = sum over n of dy[n] where id_n = v, for the rows of this part
#include "backends/reference/reference_kernel.h"

#include <limits>

namespace weft::reference {

void embedding(KernelList& list) {
    addKernel(list, "embedding", []<class T>(const Call<T>& call) {
        const TensorPart& table = call.input(1);
        const std::int64_t features = table.shape[1];
        for (std::int64_t n = 0; n < call.input(0).elements(); ++n) {
            const std::int64_t id = call.integer(0, n);
            const std::int64_t v = id - table.begin[0];
            T* y = call.out() + n * features;
            if (id < 0 || id >= table.whole[0]) {
                std::fill_n(y, features, std::numeric_limits<T>::quiet_NaN());
            } else if (v >= 0 && v < table.shape[0]) {
                std::copy_n(call.in(1) + v * features, features, y);
            } else {
                std::fill_n(y, features, T(0));
            }
        }
    });
    addKernel(list, "embedding_gradient", []<class T>(const Call<T>& call) {
        const TensorPart& table = call.output();
        const std::int64_t features = table.shape[1];
        std::fill_n(call.out(), table.elements(), T(0));
        for (std::int64_t n = 0; n < call.input(0).elements(); ++n) {
            const std::int64_t v = call.integer(0, n) - table.begin[0];
            if (v < 0 || v >= table.shape[0]) {
                continue;
            }
            for (std::int64_t e = 0; e < features; ++e) {
                call.out()[v * features + e] += call.in(1)[n * features + e];
            }
        }
    });
}

} // namespace weft::reference
