// SPDX-License-Identifier: Apache-2.0
// count = number of targets other than `ignore`; y = x for those, else 0
#include "backends/reference/reference_kernel.h"

namespace weft::reference {

namespace {

struct CountValid {
    template <class T>
    void operator()(const Call<T>& call, std::int64_t ignore) const {
        std::int64_t count = 0;
        for (std::int64_t k = 0; k < call.input(0).elements(); ++k) {
            count += call.integer(0, k) != ignore ? 1 : 0;
        }
        *call.out() = static_cast<T>(count);
    }
};

struct ZeroIgnored {
    template <class T>
    void operator()(const Call<T>& call, std::int64_t ignore) const {
        for (std::int64_t k = 0; k < call.output().elements(); ++k) {
            call.out()[k] = call.integer(1, k) == ignore ? T(0) : call.in(0)[k];
        }
    }
};

} // namespace

void count_valid(KernelList& list) {
    addKernel(list, "count_valid", ignoredTarget, CountValid{});
    addKernel(list, "zero_ignored", ignoredTarget, ZeroIgnored{});
}

} // namespace weft::reference
