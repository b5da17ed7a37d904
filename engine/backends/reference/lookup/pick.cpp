// SPDX-License-Identifier: Apache-2.0
// y = x[target - begin of this part], 0 if the target is in another part or ignored
#include "backends/reference/reference_kernel.h"

#include <limits>

namespace weft::reference {

namespace {

struct Pick {
    template <class T>
    void operator()(const Call<T>& call, std::int64_t ignore) const {
        const std::int64_t classes = call.input(0).shape.back();
        const std::int64_t first = call.input(0).begin.back();
        const std::int64_t whole = call.input(0).whole.back();
        for (std::int64_t row = 0; row < call.output().elements(); ++row) {
            const std::int64_t target = call.integer(1, row);
            const std::int64_t k = target - first;
            T y = 0;
            if (target != ignore && (target < 0 || target >= whole)) {
                y = std::numeric_limits<T>::quiet_NaN();
            } else if (target != ignore && k >= 0 && k < classes) {
                y = call.in(0)[row * classes + k];
            }
            call.out()[row] = y;
        }
    }
};

} // namespace

void pick(KernelList& list) { addKernel(list, "pick", ignoredTarget, Pick{}); }

} // namespace weft::reference
